import { expect } from '@jest/globals';
import type { ConsentState } from '../../libs/consent/state.js';
import { consentPart } from '../../libs/consent/part.js';
import type { EventLog, RecordedEvent } from '../../libs/log/port.js';
import { fold, subjectStream, type DomainEvent } from '../../libs/kernel/index.js';
import { COMPOSITION } from '../../libs/composition/contexts.js';
import type { SubjectErased, SubjectsMerged } from '../../libs/subjects/events.js';
import { follow } from '../../libs/subjects/follow.js';
import { carried, wholeFold, type WholeState } from '../../libs/subjects/parts.js';
import { familyOf, standingOf } from '../../libs/subjects/standing.js';
import { SCOPE, type WriteSide } from '../support/write-side.js';

const WHOLE = wholeFold([consentPart]);
const codec = COMPOSITION.codec;

export interface Told {
  recorded: RecordedEvent[];
  events: DomainEvent[];
  state: WholeState;
}

/** What stands in the log about these subjects, folded from nothing. */
export async function tell(log: EventLog, subjectIds: Iterable<string>): Promise<Map<string, Told>> {
  const told = new Map<string, Told>();
  for (const subjectId of subjectIds) {
    const recorded = await log.read(subjectStream(SCOPE, subjectId), { direction: 'forwards', limit: 1000 });
    const events = recorded.map((event) => codec.decode(event));
    told.set(subjectId, {
      recorded,
      events,
      state: fold(
        WHOLE,
        events.filter(({ type }) => WHOLE.on.includes(type)),
      ),
    });
  }
  return told;
}

const consentOf = ({ state }: Told): unknown => {
  const { purposes, gpc } = state.parts['consent'] as ConsentState;
  return { purposes, gpc };
};
const recordsOf = ({ events }: Told): string[] =>
  events.flatMap(({ type, data }) => (type === 'ConsentRecorded' ? [(data as { recordId: string }).recordId] : []));

/**
 * What holds of all subjects at any time at which nobody is in the middle of something, whatever happened before: they
 * fall into families, each with one root that speaks for all of it and knows them all; nothing is lost or there twice.
 */
export async function expectFamilies(
  log: EventLog,
  side: WriteSide,
  subjectIds: readonly string[],
  acknowledged: readonly string[] = [],
): Promise<Map<string, Told>> {
  for (const subjectId of subjectIds) await side.settle(subjectId);
  const told = await tell(log, subjectIds);
  const stateOf = (id: string) => Promise.resolve(told.get(id)!.state.subject);
  const rootOf = new Map<string, string>();
  for (const id of subjectIds) {
    const followed = await follow(id, stateOf);
    if ('void' in followed) throw new Error(`a ring around ${id}`);
    rootOf.set(id, followed.root.subjectId);
  }

  const ids = [...told.values()].flatMap(({ recorded }) => recorded.map(({ id }) => id));
  expect(new Set(ids).size).toBe(ids.length);
  const records = [...told.values()].flatMap(recordsOf);
  expect(new Set(records).size).toBe(records.length);
  expect(acknowledged.filter((record) => !records.includes(record))).toEqual([]);

  for (const [id, one] of told) {
    expect(one.events[0]?.type).toBe('SubjectCreated');
    expect(one.recorded.map(({ revision }) => revision)).toEqual(one.recorded.map((_, i) => i));
    const standing = standingOf(one.state.subject);
    expect(standingOf(one.state.parts['consent'] as ConsentState)).toEqual(standing);
    const closedAt = one.events.findLastIndex(
      ({ type }) => type === 'SubjectsMerged' || type === 'SubjectErased' || type === 'SubjectMergeReverted',
    );
    if (standing.merged || standing.erasedAt !== null) expect(one.events.slice(closedAt + 1)).toEqual([]);
    if (standing.merged) {
      const parent = standingOf(told.get(standing.merged.into)!.state.subject);
      expect(
        parent.absorbed.filter(({ mergeId, subjectId }) => mergeId === standing.merged!.mergeId && subjectId === id),
      ).toHaveLength(1);
    } else {
      const family = subjectIds.filter((other) => other !== id && rootOf.get(other) === id);
      expect(familyOf(standing).sort()).toEqual(family.sort());
      if (standing.erasedAt !== null) await expectErased(side, told, id, family);
    }
    if (standing.erasedAt === null) expectJoined(told, one);
  }
  return told;
}

/** Its state is that of its own decisions and of what each absorbed subject had come to when it was closed, and nothing else. */
function expectJoined(told: ReadonlyMap<string, Told>, one: Told): void {
  const { absorbed } = standingOf(one.state.subject);
  const stands = (event: SubjectsMerged): boolean =>
    absorbed.some(({ mergeId, subjectId }) => mergeId === event.data.mergeId && subjectId === event.data.absorbedId);
  const joined: DomainEvent[] = [];
  for (const event of one.events) {
    if (event.type === 'SubjectMergeReverted' || !WHOLE.on.includes(event.type)) continue;
    if (event.type !== 'SubjectsMerged') joined.push(event);
    else if (stands(event as SubjectsMerged)) {
      const source = told.get((event as SubjectsMerged).data.absorbedId)!;
      joined.push({
        type: event.type,
        data: { ...(event as SubjectsMerged).data, absorbed: carried([consentPart], source.state) },
      });
    }
  }
  const state = fold(WHOLE, joined);
  expect(consentOf(one)).toEqual(consentOf({ ...one, state }));
  expect(one.state.subject.restriction === null).toBe(state.subject.restriction === null);
}

async function expectErased(
  side: WriteSide,
  told: ReadonlyMap<string, Told>,
  rootId: string,
  family: readonly string[],
): Promise<void> {
  const receipt = (told.get(rootId)!.events.find(({ type }) => type === 'SubjectErased') as SubjectErased).data;
  expect([...receipt.erasedTogether].sort()).toEqual([...family].sort());
  for (const id of [rootId, ...family]) {
    const erased = told.get(id)!.events.filter(({ type }) => type === 'SubjectErased') as SubjectErased[];
    expect(erased.map(({ data: { receiptId, rootId: root, reason } }) => ({ receiptId, root, reason }))).toEqual([
      { receiptId: receipt.receiptId, root: rootId, reason: receipt.reason },
    ]);
    expect((await side.vault.cipherOf(id)).destroyed).toBe(true);
  }
}
