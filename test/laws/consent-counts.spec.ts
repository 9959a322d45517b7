import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CONSENT_COLUMNS } from '../../libs/consent/counts.js';
import type { ConsentRecorded } from '../../libs/consent/events.js';
import { consentStateProjection } from '../../libs/consent/read/projection.js';
import { consentFold, type ConsentState, type FoldedByConsent } from '../../libs/consent/state.js';
import { PostgresEventLog } from '../../libs/log/adapters/postgres/postgres.js';
import { ServedProjection } from '../../libs/following/generations/generations.js';
import { rebuildAside } from '../../libs/following/generations/rebuild.js';
import { instantOf, subjectStream, type Instant } from '../../libs/kernel/index.js';
import { COMPOSITION } from '../../libs/composition/contexts.js';
import { standingOf } from '../../libs/subjects/standing.js';
import { startWriteDatabase, type WriteDatabase } from '../support/write-database.js';
import { isDone, SCOPE, subjectsIn, WriteSide, type Outcome } from '../support/write-side.js';
import { commandOn, order, refOf, runsOf, type Command } from './subject-commands.js';

/* What is counted of consent is what somebody counts who goes through the log from its beginning, day after day. */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const PEOPLE = 4;

let world: WriteDatabase;
let log: PostgresEventLog;
let projection: ServedProjection<unknown, FoldedByConsent>;
/** It only runs forwards, through all histories. */
let nowMs = Date.now();
const clock = (): Instant => instantOf(nowMs++);

beforeAll(async () => {
  world = await startWriteDatabase();
  log = new PostgresEventLog(world.database);
  projection = new ServedProjection({
    log,
    database: world.database,
    codec: COMPOSITION.codec,
    projection: consentStateProjection,
    batchSize: 7,
  }) as unknown as typeof projection;
  await projection.start();
});
afterAll(async () => {
  await projection?.stop();
  await log?.close();
  await world?.stop();
});

/** What happens, and after how many hours. */
type Step = { wait: number } & ({ command: Command } | { decide: Decided });

interface Decided {
  who: number;
  purpose: 'a' | 'b';
  decision: 'GRANTED' | 'DENIED' | 'WITHDRAWN';
  /** Hours that it lasts. */
  lasts: number | undefined;
  /** Hours ago that it was given. */
  ago: number;
  source: 'API' | 'IMPORT';
  country: string | undefined;
}

const step: fc.Arbitrary<Step> = fc
  .tuple(
    fc.constantFrom(0, 1, 10, 30),
    fc.oneof(
      commandOn(PEOPLE).map((command) => ({ command })),
      fc
        .record<Decided>({
          who: fc.nat(PEOPLE - 1),
          purpose: fc.constantFrom('a', 'b'),
          decision: fc.constantFrom('GRANTED', 'GRANTED', 'DENIED', 'WITHDRAWN'),
          lasts: fc.constantFrom(undefined, 5, 40),
          ago: fc.constantFrom(0, 0, 20),
          source: fc.constantFrom('API', 'API', 'IMPORT'),
          country: fc.constantFrom(undefined, 'DE', 'UK', 'XK'),
        })
        .map((decide) => ({ decide })),
    ),
  )
  .map(([wait, happens]) => ({ wait, ...happens }));

function decide(side: WriteSide, run: number, decided: Decided): Promise<Outcome<unknown>> {
  const { who, purpose, decision, lasts, ago, source, country } = decided;
  const givenMs = nowMs - ago * HOUR_MS;
  return side.record(refOf(run, who), purpose, decision, null, {
    source,
    givenAt: instantOf(givenMs),
    ...(lasts !== undefined && decision === 'GRANTED' && { expiresAt: instantOf(givenMs + lasts * HOUR_MS) }),
    ...(country !== undefined && { jurisdiction: { country, source: 'DECLARED' as const } }),
  });
}

type Counted = Map<string, number>;
const CODES: Record<string, string> = { DE: 'DE', GB: 'GB', XK: 'XK' };

/** By hand: what was decided, and whose grant was over on which day, event after event. */
async function countedByHand(through: Instant): Promise<Counted> {
  const counted: Counted = new Map();
  const count = (what: string, purpose: string, at: Instant, country: string | undefined): void => {
    const name = `${what} ${purpose} ${at.slice(0, 10)} ${CODES[country ?? ''] ?? ''}`;
    counted.set(name, (counted.get(name) ?? 0) + 1);
  };
  for (const subjectId of await subjectsIn(log)) {
    let running: { purpose: string; ends: Instant; country: string | undefined }[] = [];
    const passes = (at: Instant): void => {
      for (const { purpose, ends, country } of running) if (ends <= at) count('expiries', purpose, ends, country);
      running = running.filter(({ ends }) => ends > at);
    };
    let state: ConsentState = consentFold.initial();
    for (const stored of await log.read(subjectStream(SCOPE, subjectId), { direction: 'forwards', limit: 1_000 })) {
      if (!(consentFold.on as readonly string[]).includes(stored.type)) continue;
      const event = { type: stored.type, data: COMPOSITION.codec.decode(stored).data } as FoldedByConsent;
      const at = stored.metadata.recordedAt;
      passes(at);
      state = consentFold.evolve(state, event);
      if (event.type === 'ConsentRecorded')
        byKind(event, (what, { purpose, jurisdiction }) =>
          count(what, purpose, at, jurisdiction?.country ?? state.place?.country),
        );
      running = standingOf(state).merged
        ? []
        : Object.entries(state.purposes).flatMap(([purpose, { state: stands, expiresAt: ends }]) =>
            stands === 'GRANTED' && ends !== null && ends > at
              ? [{ purpose, ends, country: state.place?.country }]
              : [],
          );
    }
    passes(through);
  }
  return counted;
}

function byKind({ data }: ConsentRecorded, count: (what: string, record: ConsentRecorded['data']) => void): void {
  const isWithdrawal = data.decision === 'WITHDRAWN' || (data.appliedToState && data.state === 'WITHDRAWN');
  const what = data.decision === 'GRANTED' ? 'grants' : isWithdrawal ? 'withdrawals' : 'refusals';
  count(`${data.source === 'IMPORT' ? 'imported_' : ''}${what}`, data);
}

interface Row {
  site: string;
  env: string;
  purpose: string;
  day: string;
  split: string;
  value: string;
  [counted: string]: unknown;
}

async function countedByProjection(through: Instant): Promise<Counted> {
  const rows = await world.database.run<Row>('select *, day::text as day from read.consent_state_counts');
  const counted: Counted = new Map();
  for (const row of rows) {
    expect([row.site, row.env]).toEqual([SCOPE.site, SCOPE.env]);
    if (row.split !== 'country') continue;
    for (const what of CONSENT_COLUMNS) {
      const number = Number(row[what]);
      expect(number).toBeGreaterThanOrEqual(0);
      if (number > 0 && row.day <= through.slice(0, 10))
        counted.set(`${what} ${row.purpose} ${row.day} ${row.value}`, number);
    }
  }
  return counted;
}

/** Waits for the rows, but not behind an event that stopped them: nothing would ever come. */
async function caughtUp(): Promise<void> {
  const head = await log.head();
  for (const deadline = performance.now() + 120_000; !(await projection.waitFor(head, 1_000));) {
    const status = projection.status();
    const isOver = performance.now() > deadline || status.some(({ state }) => state === 'stopped');
    if (isOver) throw new Error(`the rows do not come: ${status.map((each) => JSON.stringify(each, text)).join()}`);
  }
}
const text = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

let runs = 0;
it('are what a count over the log comes to, through merges, erasures and what runs out; and a rebuild counts the same', async () => {
  const side = new WriteSide({ log, database: world.database, clock });
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      const run = ++runs;
      const merges: string[] = [];
      for (const { wait, ...happens } of steps) {
        nowMs += wait * HOUR_MS;
        const done =
          'command' in happens
            ? await order(happens.command, run, merges, side)
            : await decide(side, run, happens.decide);
        if (isDone(done) && 'command' in happens && happens.command.do === 'merge')
          merges.push((done.answer as { mergeId: string }).mergeId);
      }
      // Days are compared that are over.
      nowMs += DAY_MS;
      const through = instantOf(nowMs - (nowMs % DAY_MS) - 1);
      await caughtUp();
      const byHand = await countedByHand(through);
      expect(sorted(await countedByProjection(through))).toEqual(sorted(byHand));
      for (const name of byHand.keys()) seen.add(name.split(' ')[0]!);
    }),
    // All histories stand in one log: what is wrong once stays wrong, so no smaller one can be found.
    { ...runsOf(25), endOnFailure: true },
  );
  expect([...seen].sort()).toEqual([...CONSENT_COLUMNS].sort());
  await versionsAddUp();
  const before = sorted(await countedByProjection('9999'));
  const { switched, parity } = await rebuildAside({
    log,
    database: world.database,
    codec: COMPOSITION.codec,
    projection: consentStateProjection,
    batchSize: 500,
    verify: true,
  });
  expect([switched, parity?.equal]).toEqual([true, true]);
  expect(sorted(await countedByProjection('9999'))).toEqual(before);
}, 600_000);

/** Each decision has a version of its purpose, and a country or the mark of none: both come to the same. */
async function versionsAddUp(): Promise<void> {
  const rows = await world.database.run(`
    select purpose, day from read.consent_state_counts group by purpose, day
    having sum(grants) filter (where split = 'country') is distinct from sum(grants) filter (where split = 'purposeVersion')
      and sum(grants) > 0`);
  expect(rows).toEqual([]);
}

const sorted = (counted: Counted): [string, number][] => [...counted].sort(([a], [b]) => (a < b ? -1 : 1));
