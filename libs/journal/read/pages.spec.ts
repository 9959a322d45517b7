import fc from 'fast-check';
import { SubjectReads } from '../../access/index.js';
import { startLogDatabase, type LogDatabase } from '../../../test/support/log-database.js';
import { eventSource } from './event-source.js';
import { lookSource } from './look-source.js';
import { isWanted, pageOfSources, type JournalPlace } from './pages.js';
import { signInSource } from './sign-in-source.js';
import type { JournalSource, JournalWanted, Placed } from './sources.js';

/* Over any history of the three sources, many entries at one moment among them: each page goes on where the last ended. */

let world: LogDatabase;
let sources: JournalSource[];
beforeAll(async () => {
  world = await startLogDatabase('assent_whole');
  const { database } = world;
  await database.run('create schema if not exists read');
  await database.run(`drop view if exists read.journal; drop table if exists read.journal`);
  await database.run(
    `create table read.journal (event_id text collate "C" primary key, at timestamptz not null, operator text collate "C",
       action text collate "C" not null, site text collate "C", env text collate "C", position bigint not null)`,
  );
  sources = [
    // Only rows are asked for.
    eventSource(database, undefined as never, undefined as never, undefined as never),
    lookSource(database),
    signInSource(database),
  ] as unknown as JournalSource[];
});
afterAll(() => world?.stop());

const instant = (minute: number): string => new Date(Date.UTC(2026, 10, 21, 12, minute)).toISOString();
const minute = fc.nat(6);
const operator = fc.constantFrom('opt_a', 'opt_b', 'opr_c');
const site = fc.constantFrom('shop', 'forum');
const env = fc.constantFrom('test', 'live');
const orNull = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(of, { nil: null });

const event = fc.record({
  at: minute,
  operator: orNull(operator),
  action: fc.constantFrom('site_changed', 'api_key_issued'),
  place: fc.oneof(fc.constant([null, null]), fc.tuple(site, orNull(env))),
});
const look = fc.record({
  at: minute,
  operator,
  subject: fc.constantFrom('sub_1', 'sub_2', '*'),
  operation: fc.constantFrom('getSubject', 'getSiteTimeline', 'revealIdentifiers'),
  site,
  env,
  reader: fc.constantFrom('operator', 'key', 'command'),
});
const signIn = fc.record({
  at: minute,
  operator: orNull(operator),
  action: fc.constantFrom('signed_in', 'sign_in_refused', 'signed_out', 'sessions_ended'),
});
const history = fc.record({
  events: fc.array(event, { maxLength: 25 }),
  looks: fc.uniqueArray(look, {
    maxLength: 25,
    selector: ({ at, operator: who, subject, operation, reader }) => `${at}${who}${subject}${operation}${reader}`,
  }),
  signIns: fc.array(signIn, { maxLength: 25 }),
});
const question = fc.record({
  wanted: fc.record({
    operator: orNull(operator),
    site: orNull(site),
    env: orNull(env),
    action: orNull(fc.constantFrom('site_changed', 'subject_read', 'signed_in', 'sign_in_refused')),
    from: orNull(minute.map(instant)),
    to: orNull(minute.map(instant)),
    places: fc.oneof(
      fc.constant(['*/test', '*/live']),
      fc.uniqueArray(fc.constantFrom('*/test', 'shop/test', 'shop/live', 'forum/live'), { minLength: 1 }),
    ),
  }) as fc.Arbitrary<JournalWanted>,
  limit: fc.integer({ min: 1, max: 9 }),
  lookedAtMax: fc.integer({ min: 2, max: 12 }),
});

async function stored({
  events,
  looks,
  signIns,
}: typeof history extends fc.Arbitrary<infer H> ? H : never): Promise<[source: number, row: Placed][]> {
  const { database } = world;
  await database.run('truncate read.journal, write.subject_reads, write.operator_sign_in');
  const all: [number, Placed][] = [];
  for (const [i, { at, operator: who, action, place }] of events.entries()) {
    const [in_, of] = place as [string | null, string | null];
    await database.run('insert into read.journal values ($1, $2, $3, $4, $5, $6, $7)', [
      ...[`e${i}`, instant(at), who, action, in_, of, i],
    ]);
    all.push([0, { at: instant(at), key: `e${i}`, operator: who, action, site: in_, env: of }]);
  }
  for (const { at, operator: who, subject, operation, site: in_, env: of, reader } of looks) {
    const by = reader === 'operator' ? `operator:${who}` : reader === 'key' ? 'key_1' : 'operator:ada@host';
    await database.run(
      `insert into write.subject_reads values ($1, $2, $3, $4, $5, $6, 1, $2, $2) on conflict do nothing`,
      [subject, instant(at), by, operation, in_, of],
    );
    if (reader !== 'operator' || operation === 'revealIdentifiers') continue;
    const key = `${subject} ${by} ${operation}`;
    all.push([1, { at: instant(at), key, operator: who, action: 'subject_read', site: in_, env: of }]);
  }
  for (const [i, { at, operator: who, action }] of signIns.entries()) {
    await database.run(
      'insert into write.operator_sign_in (id, at, action, operator, last_at) values ($1, $2, $3, $4, $2)',
      [`s${i}`, instant(at), action, who],
    );
    all.push([2, { at: instant(at), key: `s${i}`, operator: who, action, site: null, env: null }]);
  }
  return all;
}

const byPlace = ([source, a]: [number, Placed], [other, b]: [number, Placed]): number =>
  a.at !== b.at ? (a.at < b.at ? 1 : -1) : source - other || (a.key < b.key ? 1 : -1);

it('nothing comes twice and nothing is missing, for every filter, role and size of page', async () => {
  await fc.assert(
    fc.asyncProperty(history, fc.array(question, { minLength: 1, maxLength: 4 }), async (happened, questions) => {
      const all = (await stored(happened)).sort(byPlace);
      for (const { wanted, limit, lookedAtMax } of questions) {
        const expected = all.filter(([, row]) => isWanted(row, wanted)).map(([source, { key }]) => `${source} ${key}`);
        const found: string[] = [];
        let pages = 0;
        for (let after: JournalPlace | null = null; ; pages++) {
          const page = await pageOfSources(sources, wanted, after, limit, lookedAtMax);
          expect(page.found.length).toBeLessThanOrEqual(limit);
          found.push(...page.found.map(({ source, key }) => `${source} ${key}`));
          if (page.next === null || pages > 200) break;
          after = page.next;
        }
        expect(found).toEqual(expected);
      }
    }),
    { numRuns: 60 },
  );
}, 420_000);

it('a look that is noted by a process is found by its first moment', async () => {
  await world.database.run('truncate read.journal, write.subject_reads, write.operator_sign_in');
  const reads = new SubjectReads(world.database, () => Date.parse(instant(3)) + 123);
  reads.note({ kind: 'operator', keyId: 'opt_a', operation: 'getSubject', site: 'shop', env: 'test' }, 'sub_1');
  await reads.write();
  const none = { operator: null, site: null, env: null, action: null, from: null, to: null };
  const everywhere = { ...none, places: ['*/test', '*/live'] };
  const { found, next } = await pageOfSources(sources, everywhere, null, 1);
  expect([found.map(({ at }) => at), next]).toEqual([['2026-11-21T12:03:00.123Z'], null]);
  const after = { at: found[0]!.at, source: 1, key: found[0]!.key };
  expect((await pageOfSources(sources, everywhere, after, 1)).found).toEqual([]);
});
