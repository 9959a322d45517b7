import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { consentStateProjection } from '../../libs/consent/read/projection.js';
import { consentFold, type FoldedByConsent } from '../../libs/consent/state.js';
import { PostgresEventLog } from '../../libs/log/adapters/postgres/postgres.js';
import { ServedProjection } from '../../libs/following/generations/generations.js';
import { joinedHistory } from '../../libs/streams/joined-history.js';
import { Stream } from '../../libs/streams/stream.js';
import { fold } from '../../libs/kernel/index.js';
import { COMPOSITION } from '../../libs/composition/contexts.js';
import { familyOf, standingOf } from '../../libs/subjects/standing.js';
import { subjectStreamFold } from '../../libs/subjects/stream-fold.js';
import { isDone, SCOPE, ticking, WriteSide, type Written } from '../support/write-side.js';
import { startWriteDatabase, type WriteDatabase } from '../support/write-database.js';
import { expectFamilies, type Told } from './family-laws.js';
import { commandOn, MOST, order, personRef, refOf, runsOf, type Command, type Who } from './subject-commands.js';

let world: WriteDatabase;
let log: PostgresEventLog;
let projection: ServedProjection<unknown, FoldedByConsent>;
beforeAll(async () => {
  world = await startWriteDatabase();
  log = new PostgresEventLog(world.database);
  projection = new ServedProjection({
    log,
    database: world.database,
    codec: COMPOSITION.codec,
    projection: consentStateProjection,
    batchSize: 37,
  }) as unknown as typeof projection;
  await projection.start();
});
afterAll(async () => {
  await projection?.stop();
  await log?.close();
  await world?.stop();
});

/** A subject as simply as it can be thought of. */
interface Node {
  into: { node: Node; merge: number } | null;
  records: string[];
  isPerson: boolean;
  isErased: boolean;
  /** Holds laid and lifted, and merges with whether what came was held. */
  holds: ({ held: boolean } | { merge: number; held: boolean })[];
}

/** What should come of the commands, on paper. */
class Model {
  readonly known = new Map<string, Node>();
  readonly nodes: Node[] = [];
  /** Merges by their number, links included: who was to survive, and whether it was reverted. */
  private readonly merges: { target: Node; sources: Node[]; isReverted: boolean }[] = [];
  /** Those whose id was answered: a revert can name them. */
  private readonly named: number[] = [];

  root(node: Node): Node {
    return node.into ? this.root(node.into.node) : node;
  }

  find(ref: string): Node | null {
    const node = this.known.get(ref);
    return node ? this.root(node) : null;
  }

  family(root: Node): Node[] {
    return this.nodes.filter((node) => this.root(node) === root);
  }

  /** The code of the refusal that is to be expected; null where it is to be done. */
  carryOut(asked: Command, run: number): string | null {
    const ref = (who: Who): string => refOf(run, who);
    if (asked.do === 'revert') return this.revert(asked.which);
    if (asked.do === 'merge')
      return this.merge(
        asked.sources.map((one) => this.find(ref(one))),
        this.find(ref(asked.target)),
      );
    const node = this.find(ref(asked.who));
    if (asked.do === 'record') {
      if (!node) this.create(ref(asked.who), asked.who % 2 === 1);
      return null;
    }
    if (!node) return 'subject_not_found';
    if (asked.do === 'link') return this.link(node, `visitor_id:${ref(asked.visitor).split(':')[1]}`);
    if (asked.do === 'logIn') return this.logIn(node, personRef(run, asked.person));
    if (asked.do !== 'erase') {
      node.holds.push({ held: asked.do === 'restrict' });
      return null;
    }
    if (isHeld(node)) return 'state_conflict';
    for (const gone of this.family(node)) {
      gone.isErased = true;
      for (const [name, of] of this.known) if (of === gone) this.known.delete(name);
    }
    return null;
  }

  private create(ref: string, isPerson: boolean): Node {
    const node: Node = { into: null, records: [], isPerson, isErased: false, holds: [] };
    this.nodes.push(node);
    this.known.set(ref, node);
    return node;
  }

  private merge(sources: (Node | null)[], target: Node | null): string | null {
    if (!target) return 'subject_not_found';
    for (const source of sources) {
      if (!source) return 'subject_not_found';
      if (source === target) return 'merge_conflict';
    }
    this.named.push(this.merges.length);
    this.join([...new Set(sources as Node[])], target);
    return null;
  }

  private join(sources: Node[], target: Node): void {
    const merge = this.merges.push({ target, sources, isReverted: false }) - 1;
    for (const source of sources) {
      target.holds.push({ merge, held: isHeld(source) });
      source.into = { node: target, merge };
    }
  }

  private link(node: Node, visitor: string): string | null {
    const owner = this.find(visitor);
    if (owner) return this.makeOne(node, owner);
    this.known.set(visitor, node);
    return null;
  }

  private logIn(node: Node, person: string): string | null {
    const owner = this.find(person);
    if (owner) return this.makeOne(node, owner);
    if (this.isAnonymous(node)) this.join([node], this.create(person, true));
    else {
      this.known.set(person, node);
      node.isPerson = true;
    }
    return null;
  }

  private makeOne(node: Node, owner: Node): string | null {
    if (owner === node) return null;
    if (this.isAnonymous(owner)) this.join([owner], node);
    else if (this.isAnonymous(node)) this.join([node], owner);
    else return 'identifier_conflict';
    return null;
  }

  private isAnonymous(root: Node): boolean {
    return this.family(root).every(({ isPerson }) => !isPerson);
  }

  private revert(which: number): string | null {
    const merge = this.named[which % Math.max(this.named.length, 1)];
    if (merge === undefined) return 'subject_not_found';
    const { target, sources, isReverted } = this.merges[merge]!;
    if (this.root(target).isErased) return 'subject_erased';
    if (isReverted) return null;
    if (target.into) return 'state_conflict';
    this.merges[merge]!.isReverted = true;
    for (const source of sources) source.into = null;
    target.holds = target.holds.filter((hold) => !('merge' in hold) || hold.merge !== merge);
    return null;
  }
}

const isHeld = ({ holds }: Node): boolean =>
  holds.reduce((held, hold) => ('merge' in hold ? held || hold.held : hold.held), false);

/** A hold that came with a merge is laid again: it stays when the merge is reverted. */
const HELD_AGAIN: Command[] = [
  { do: 'restrict', who: 0 },
  { do: 'merge', sources: [0], target: 1 },
  { do: 'restrict', who: 0 },
  { do: 'revert', which: 0 },
];

let runs = 0;
it('are what they would be on paper; rows are the fold of their streams, and a rebuild makes the very same rows', async () => {
  const clock = ticking();
  const process = new WriteSide({ log, database: world.database, clock });
  const streams = new Stream(log, COMPOSITION.codec, subjectStreamFold(consentFold));
  await fc.assert(
    fc.asyncProperty(fc.array(commandOn(MOST), { minLength: 1, maxLength: 20 }), async (commands) => {
      const run = ++runs;
      const model = new Model();
      const merges: string[] = [];
      const subjectOf = new Map<Node, string>();
      const first = Array.from({ length: MOST }, (_, who): Command => ({
        do: 'record',
        who,
        purpose: 'a',
        decision: who % 2 === 0 ? 'GRANTED' : 'DENIED',
      }));
      for (const asked of [...first, ...commands]) {
        const expected = model.carryOut(asked, run);
        const done = await order(asked, run, merges, process);
        expect([asked, isDone(done) ? null : done.refused]).toEqual([asked, expected]);
        if (!isDone(done)) continue;
        if (asked.do === 'merge') merges.push((done.answer as { mergeId: string }).mergeId);
        if (asked.do !== 'record' && asked.do !== 'logIn') continue;
        const node = model.find(refOf(run, asked.who))!;
        let subjectId = done.answer as string;
        if (asked.do === 'record') {
          const written = done.answer as Written;
          ({ subjectId } = written);
          node.records.push(written.recordId);
        }
        expect(subjectOf.get(node) ?? subjectId).toBe(subjectId);
        subjectOf.set(node, subjectId);
      }
      expect(subjectOf.size).toBe(model.nodes.length);

      const told = await expectFamilies(
        log,
        new WriteSide({ log, database: world.database, clock }),
        [...subjectOf.values()],
        model.nodes.flatMap(({ records }) => records),
      );
      for (const [node, subjectId] of subjectOf) {
        const { subject } = told.get(subjectId)!.state;
        const { merged, erasedAt } = standingOf(subject);
        expect([merged?.into ?? null, erasedAt !== null]).toEqual([
          node.into && subjectOf.get(node.into.node),
          node.isErased,
        ]);
        if (node.into) continue;
        if (!node.isErased) expect(subject.restriction !== null).toBe(isHeld(node));
        const shown: string[] = [];
        const source = { streams: streams as never, cipherOf: (id: string) => process.vault.cipherOf(id) };
        for await (const { event } of joinedHistory(
          source,
          SCOPE,
          [subjectId, ...familyOf(standingOf(subject))],
          undefined,
        ))
          if (event.type === 'ConsentRecorded') shown.push((event.data as { recordId: string }).recordId);
        expect(shown.sort()).toEqual(
          model
            .family(node)
            .flatMap(({ records }) => records)
            .sort(),
        );
      }
      expect(await projection.waitFor(await log.head(), 120_000)).toBe(true);
      for (const [subjectId, one] of told)
        expect(await rowOf(subjectId)).toEqual(JSON.parse(JSON.stringify(consentOf(one))));
    }),
    { ...runsOf(20), examples: [[HELD_AGAIN]] },
  );
  const before = await checksum();
  await projection.rebuild();
  expect(await checksum()).toEqual(before);
}, 3_600_000);

const rowOf = async (id: string): Promise<unknown> =>
  (await world.database.run<{ state: unknown }>('select state from read.consent_state where subject_id = $1', [id]))[0]
    ?.state ?? null;
const consentOf = ({ events }: Told): unknown =>
  fold(
    consentFold,
    events.filter(({ type }) => (consentFold.on as readonly string[]).includes(type)) as FoldedByConsent[],
  );
const checksum = async (): Promise<unknown> =>
  (
    await world.database.run(
      "select count(*), md5(string_agg(subject_id || revision || state::text || coalesce(next_expiry::text, '-'), ',' order by subject_id)) as sum from read.consent_state",
    )
  )[0];
