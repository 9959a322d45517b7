import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { CONSENT_EVENTS, type ConsentEvent } from '../../libs/consent/events.js';
import { consentStateProjection } from '../../libs/consent/read/projection.js';
import { consentFold } from '../../libs/consent/state.js';
import { PostgresEventLog } from '../../libs/log/adapters/postgres/postgres.js';
import { Codec } from '../../libs/streams/codec.js';
import { ServedProjection } from '../../libs/following/generations/generations.js';
import { NO_STREAM, type NewEvent } from '../../libs/log/port.js';
import { type Position, fold, instantOf, newId, subjectStream } from '../../libs/kernel/index.js';
import { startLogDatabase, type LogDatabase } from '../support/log-database.js';
import { history, START } from './histories.js';

const scope = { site: 'laws', env: 'test' } as const;
const codec = new Codec(CONSENT_EVENTS.map((definition) => ({ ...definition, personal: [] })));

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
