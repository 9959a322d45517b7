import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { PostgresEventLog } from '../../libs/log/adapters/postgres/postgres.js';
import { Codec } from '../../libs/streams/codec.js';
import { ServedProjection } from '../../libs/following/generations/generations.js';
import { NO_STREAM, type NewEvent } from '../../libs/log/port.js';
import { type Position, fold, instantOf, newId, subjectStream } from '../../libs/kernel/index.js';
import { fieldCipher } from '../../libs/vault/vault.js';
import { PREFERENCE_EVENTS, type PreferenceEvent } from '../../libs/preferences/events.js';
import { preferenceStateProjection } from '../../libs/preferences/read/projection.js';
import { preferenceFold, type PreferenceState } from '../../libs/preferences/state.js';
import { startLogDatabase, type LogDatabase } from '../support/log-database.js';
import { START } from './histories.js';
import { preferenceHistory } from './preference-histories.js';

describe('the rows of preferences', () => {
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

  const scope = { site: 'laws', env: 'test' } as const;
  const codec = new Codec(PREFERENCE_EVENTS);
  const stored = (event: PreferenceEvent, subjectId: string): NewEvent => ({
    type: event.type,
    data: codec.encode(event, fieldCipher(subjectId, Buffer.alloc(32, 1))),
    id: randomUUID(),
    metadata: { schemaVersion: 1, actor: 'key_x', recordedAt: instantOf(START) },
  });

  async function appendAll(histories: readonly PreferenceEvent[][]): Promise<{ ids: string[]; last: Position }> {
    let last: Position = -1n;
    const ids = histories.map((_, index) => newId('sub', START + index, randomBytes));
    await Promise.all(
      histories.map(async (events, index) => {
        for (let from = 0; from < events.length; from += 4) {
          const outcome = await log.append(
            subjectStream(scope, ids[index]!),
            from === 0 ? NO_STREAM : from - 1,
            events.slice(from, from + 4).map((event) => stored(event, ids[index]!)),
          );
          if (outcome.outcome === 'appended' && outcome.position > last) last = outcome.position;
        }
      }),
    );
    return { ids, last };
  }

  const rowOf = async (id: string): Promise<PreferenceState | null> =>
    (
      await world.database.run<{ state: PreferenceState }>(
        'select state from read.preference_state where subject_id = $1',
        [id],
      )
    )[0]?.state ?? null;
  const checksum = async (): Promise<unknown> =>
    (
      await world.database.run(
        `select count(*), md5(string_agg(subject_id || revision || state::text || coalesce(next_turn::text, '-'), ',' order by subject_id)) as sum from read.preference_state`,
      )
    )[0];
  /** Values are sealed anew for every event: only that they are is compared. */
  const masked = (state: PreferenceState | null): unknown =>
    state &&
    (JSON.parse(
      JSON.stringify({
        ...state,
        fields: Object.entries(state.fields).map(([key, { value, ...more }]) => [key, value === null, more]),
        requests: Object.entries(state.requests).map(([id, { redirectUrl: _, ...more }]) => [id, more]),
      }),
    ) as unknown);

  it('are the fold of the stream with nothing in clear, and a rebuild makes the very same rows', async () => {
    const projection = new ServedProjection({
      log,
      database: world.database,
      codec,
      projection: preferenceStateProjection,
      batchSize: 37,
    });
    await projection.start();
    try {
      await fc.assert(
        fc.asyncProperty(fc.array(preferenceHistory, { minLength: 1, maxLength: 12 }), async (histories) => {
          const { ids, last } = await appendAll(histories);
          expect(await projection.waitFor(last, 120_000)).toBe(true);
          for (const [index, id] of ids.entries()) {
            const row = await rowOf(id);
            expect(masked(row)).toEqual(
              masked(histories[index]!.length === 0 ? null : fold(preferenceFold, histories[index]!)),
            );
            expect(JSON.stringify({ fields: row?.fields, requests: row?.requests })).not.toMatch(
              /"(one|two)"|shop\.example/,
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
