import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startLogDatabase, type LogDatabase } from '../../test/support/log-database.js';
import { until } from '../../test/support/timing.js';
import { PostgresEventLog } from '../log/adapters/postgres/postgres.js';
import { Consumer } from '../following/consumer.js';
import { anEvent } from '../log/contract/log.contract.js';
import { NO_STREAM, type RecordedEvent } from '../log/port.js';
import { describeSink } from '../following/sinks/sink.contract.js';
import { siteStream, subjectStream, type Environment, type Position } from '../kernel/index.js';
import type { Database } from '../engines/database/database.js';
import { COMPOSITION } from '../composition/contexts.js';
import { sequenceOf } from './envelope.js';
import { Announcer, type AnnouncedEvent } from './announced-events.js';
import { NEWS, newsIn, type News } from './news.js';
import { webhookSink, WebhookSink } from './webhook-sink.js';
import { webhookEventsIn } from './webhook-events.js';
import { WEBHOOKS } from './webhooks-progress.js';

const SUBJECT = `sub_${'0'.repeat(26)}`;

const AT = '2026-01-02T03:04:05.678Z';

/** Of each number one or two webhook events, of every third none. */
function announcedOfNumber({ stream, position, data }: RecordedEvent): AnnouncedEvent[] {
  const { number } = data as { number: number };
  if (number === 13_000) throw new RangeError('thirteen thousand');
  const site = /^subject-([a-z0-9-]+)\./.exec(stream)![1]!;
  const types = [[], ['number.zero'], [null, 'number.zero', 'number.one']][number % 3]!;
  return types.length === 0 ? [] : [{ site, env: 'live', position, recordedAt: AT, types }];
}

const writtenOf = (database: Database, site: string): Promise<unknown[]> =>
  database.run(
    'select env, position, sequence::int, recorded_at as at, type from webhooks.announced where site = $1 order by sequence',
    [site],
  );
const rowsOf = ({ env, position, types }: AnnouncedEvent): unknown[] =>
  types.flatMap((type, place) =>
    type === null ? [] : [{ env, position, sequence: sequenceOf(position, place), at: new Date(AT), type }],
  );

describeSink(
  'webhook events',
  async ({ database }, serial) => {
    const site = `site-${serial}`;
    return {
      name: `webhooks_${serial}`,
      prefix: `subject-${site}.live.sub_${'0'.repeat(25)}`,
      sinkOf: (own) => new WebhookSink({ database: own, announced: announcedOfNumber, changed: () => null }),
      written: () => writtenOf(database, site),
      wanted: (events) => events.flatMap(announcedOfNumber).flatMap(rowsOf),
    };
  },
  { template: 'assent_whole' },
);

describe('the webhook events of an installation', () => {
  let world: LogDatabase;
  let log: PostgresEventLog;
  let writer: Consumer;
  const announcer = new Announcer(COMPOSITION.codec, COMPOSITION.webhooks);

  beforeAll(async () => {
    world = await startLogDatabase('assent_whole');
    log = new PostgresEventLog(world.database);
  });
  afterAll(async () => {
    await log.close();
    await world.stop();
  });
  beforeEach(() => start());
  afterEach(() => writer.stop());

  const writerOf = (database: Database, of: PostgresEventLog): Consumer =>
    new Consumer({
      log: of,
      database,
      id: { name: WEBHOOKS, version: 1, rebuild: 0, shard: 0, shards: 1 },
      streams: ['subject-', 'catalogue-', 'site-', 'webhooks-'],
      sink: webhookSink(database, announcer),
    });
  function start(): void {
    writer = writerOf(world.database, log);
    writer.start();
  }

  async function append(stream: string, type: string, data: object): Promise<Position> {
    const [last] = await log.read(stream, { direction: 'backwards', limit: 1 });
    const outcome = await log.append(stream, last?.revision ?? NO_STREAM, [anEvent(type, data)]);
    if (outcome.outcome !== 'appended') throw new Error(outcome.outcome);
    return outcome.position;
  }
  const created = (site: string) =>
    append(subjectStream({ site, env: 'live' }, SUBJECT), 'SubjectCreated', { createdAt: '2026-01-02T03:04:05.678Z' });
  const reached = async (position: Position) => expect(await writer.waitFor(position, 60_000)).toBe(true);

  it('are told in both environments where they are about a site as a whole, each by an id of its own', async () => {
    const at = '2026-01-02T03:04:05.678Z';
    await reached(await append(siteStream('whole'), 'ApiKeyRevoked', { keyId: 'key_ILThWUwoZpQV', at, reason: null }));
    const rows = await world.database.run<{ env: Environment; sequence: bigint; type: string }>(
      `select env, sequence, type from webhooks.announced where site = 'whole' order by env`,
    );
    expect(rows).toMatchObject([
      { env: 'live', type: 'api_key.revoked' },
      { env: 'test', type: 'api_key.revoked' },
    ]);
    const sought = rows.map(({ env, sequence }) => ({ site: 'whole', env, sequence: Number(sequence) }));
    const ids = (await webhookEventsIn(log, announcer).find(sought)).map((event) => event?.envelope.id);
    expect([new Set(ids).size, ids.includes(undefined)]).toEqual([2, false]);
  });

  it('are there once where the checkpoint was lost, as after a restore', async () => {
    await created('restored');
    await reached(await created('restored'));
    const before = await writtenOf(world.database, 'restored');
    expect(before).toHaveLength(2);
    await writer.stop();
    await world.database.run('update projection.shards set position = -1 where name = $1', [WEBHOOKS]);
    start();
    await reached(await created('restored'));
    expect((await writtenOf(world.database, 'restored')).slice(0, 2)).toEqual(before);
    expect(await writtenOf(world.database, 'restored')).toHaveLength(3);
  });

  it('are made known as they are written, by their types', async () => {
    const heard: (News | null)[] = [];
    const end = world.database.listen(NEWS, (text) => heard.push(text === undefined ? null : newsIn(text)));
    try {
      await until(() => heard.includes(null));
      await reached(await created('heard'));
      await until(() => heard.some((news) => news?.scope === 'heard.live'));
      expect(heard.find((news) => news?.scope === 'heard.live')).toEqual({
        scope: 'heard.live',
        types: ['subject.created'],
        endpoints: false,
      });
    } finally {
      end();
    }
  });

  it('wait for a newer release where this one does not know what happened', async () => {
    // Another log: nothing here could go past this event.
    const other = await startLogDatabase('assent_whole');
    const own = new PostgresEventLog(other.database);
    const behind = writerOf(other.database, own);
    try {
      await own.append(subjectStream({ site: 'newer', env: 'live' }, SUBJECT), NO_STREAM, [
        anEvent('SubjectCreated', { createdAt: '2026-01-02T03:04:05.678Z' }),
        anEvent('SubjectTranscended', {}),
      ]);
      behind.start();
      await until(() => behind.status().state === 'awaiting');
      expect(behind.status().poisonPosition).toBe(1n);
      expect(await writtenOf(other.database, 'newer')).toHaveLength(1);
    } finally {
      await behind.stop();
      await own.close();
      await other.stop();
    }
  });
});
