import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { CONSENT_EVENTS, type ConsentEvent } from '../../libs/consent/events.js';
import { consentStateProjection } from '../../libs/consent/read/projection.js';
import { consentFold, stateAt, type ConsentState } from '../../libs/consent/state.js';
import { PostgresEventLog } from '../../libs/event-log/adapters/postgres.js';
import { Codec } from '../../libs/event-log/codec.js';
import { ServedProjection } from '../../libs/event-log/generations.js';
import { NO_STREAM, type NewEvent } from '../../libs/event-log/port.js';
import { type Position, fold, instantOf, newId, subjectStream } from '../../libs/kernel/index.js';
import { startLogDatabase, type LogDatabase } from '../support/log-database.js';
import { frozen, history, START } from './histories.js';

const scope = { site: 'laws', env: 'test' } as const;
const codec = new Codec(CONSENT_EVENTS.map((definition) => ({ ...definition, personal: [] })));
describe('the fold of consent', () => {
  it('comes to the state that each applied record promised', () =>
    fc.assert(
      fc.property(history, (events) => {
        let state = consentFold.initial();
        for (const event of events) {
          state = consentFold.evolve(state, event);
          if (event.type === 'ConsentRecorded') expect(Object.keys(state.purposes)).toContain(event.data.purpose);
          if (event.type === 'ConsentRecorded' && event.data.appliedToState)
            expect(state.purposes[event.data.purpose]!.state).toBe(event.data.state);
        }
      }),
    ));

  it('never changes what it was given', () =>
    fc.assert(
      fc.property(history, (events) => {
        let state: ConsentState = frozen(consentFold.initial());
        for (const event of events) state = frozen(consentFold.evolve(state, event));
      }),
    ));

  it('lets the newest decision stand, whatever order the records came in', () =>
    fc.assert(
      fc.property(history, fc.infiniteStream(fc.nat()), (events, order) => {
        const records = events.filter((event) => event.type === 'ConsentRecorded');
        const shuffled = records
          .map((event) => ({ event, at: order.next().value as number }))
          .sort((x, y) => x.at - y.at)
          .map(({ event }) => event);
        const [one, other] = [fold(consentFold, records), fold(consentFold, shuffled)];
        for (const purpose of Object.keys(one.purposes)) {
          const [a, b] = [one.purposes[purpose]!, other.purposes[purpose]!];
          // At equal times and sources the later in the stream stands: which record that is depends on the order, its rank does not.
          expect([b.givenAt, b.source, ['DENIED', 'WITHDRAWN', 'OBJECTED'].includes(b.decision)]).toEqual([
            a.givenAt,
            a.source,
            ['DENIED', 'WITHDRAWN', 'OBJECTED'].includes(a.decision),
          ]);
        }
      }),
    ));

  it('knows of an end by the clock as soon as the log says it', () =>
    fc.assert(
      fc.property(history, (events) => {
        let state = consentFold.initial();
        for (const event of events) {
          if (event.type === 'ConsentExpired') {
            const at = event.data.expiredAt;
            expect(stateAt(state.purposes[event.data.purpose], at)).toBe('EXPIRED');
            state = consentFold.evolve(state, event);
            expect(stateAt(state.purposes[event.data.purpose], at)).toBe('EXPIRED');
          } else state = consentFold.evolve(state, event);
        }
      }),
    ));
});

describe('the rows of consent', () => {
  let world: LogDatabase;
  let log: PostgresEventLog;
  beforeAll(async () => {
    // Published views ask who was erased.
    world = await startLogDatabase('assent_whole');
    log = new PostgresEventLog(world.database);
  });
  afterAll(async () => {
    await log?.close();
    await world?.stop();
  });

  const stored = (event: ConsentEvent): NewEvent => ({
    type: event.type,
    data: codec.encode(event),
    id: randomUUID(),
    metadata: { schemaVersion: 1, actor: 'key_x', recordedAt: instantOf(START) },
  });

  async function appendAll(histories: readonly ConsentEvent[][]): Promise<{ ids: string[]; last: Position }> {
    let last: Position = -1n;
    const ids = histories.map((_, index) => newId('sub', START + index, randomBytes));
    await Promise.all(
      histories.map(async (events, index) => {
        for (let from = 0; from < events.length; from += 4) {
          const outcome = await log.append(
            subjectStream(scope, ids[index]!),
            from === 0 ? NO_STREAM : from - 1,
            events.slice(from, from + 4).map(stored),
          );
          if (outcome.outcome === 'appended' && outcome.position > last) last = outcome.position;
        }
      }),
    );
    return { ids, last };
  }

  const rowOf = async (id: string): Promise<unknown> =>
    (
      await world.database.run<{ state: unknown }>('select state from read.consent_state where subject_id = $1', [id])
    )[0]?.state ?? null;
  const checksum = async (): Promise<unknown> =>
    (
      await world.database.run(
        "select count(*), md5(string_agg(subject_id || revision || state::text || coalesce(next_expiry::text, '-'), ',' order by subject_id)) as sum from read.consent_state",
      )
    )[0];

  it('are the fold of the stream, and a rebuild makes the very same rows', async () => {
    const projection = new ServedProjection({
      log,
      database: world.database,
      codec,
      projection: consentStateProjection,
      batchSize: 37,
    });
    await projection.start();
    try {
      await fc.assert(
        fc.asyncProperty(fc.array(history, { minLength: 1, maxLength: 12 }), async (histories) => {
          const { ids, last } = await appendAll(histories);
          expect(await projection.waitFor(last, 120_000)).toBe(true);
          for (const [index, id] of ids.entries()) {
            const events = histories[index]!;
            expect(await rowOf(id)).toEqual(
              events.length === 0 ? null : JSON.parse(JSON.stringify(fold(consentFold, events))),
            );
          }
        }),
        { numRuns: 25 },
      );
      const before = await checksum();
      await projection.rebuild();
      expect(await checksum()).toEqual(before);
    } finally {
      await projection.stop();
    }
  });
});
