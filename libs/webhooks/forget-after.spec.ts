import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startLogDatabase, type LogDatabase } from '../../test/support/log-database.js';
import { PostgresEventLog } from '../event-log/adapters/postgres.js';
import { Consumer } from '../event-log/consumer.js';
import { anEvent } from '../event-log/log.contract.js';
import { NO_STREAM } from '../event-log/port.js';
import { siteStream, type Position } from '../kernel/index.js';
import { COMPOSITION } from '../roles/contexts.js';
import { lastSequenceOf } from './envelope.js';
import { forgetAfter } from './forget-after.js';
import { webhookSink } from './webhook-sink.js';
import { WEBHOOKS } from './webhooks-progress.js';

let world: LogDatabase;
let log: PostgresEventLog;
const writers: Consumer[] = [];
beforeAll(async () => {
  world = await startLogDatabase('assent_whole');
  log = new PostgresEventLog(world.database);
});
afterAll(async () => {
  await Promise.all(writers.map((writer) => writer.stop()));
  await log.close();
  await world.stop();
});

function startWriter(): Consumer {
  const { database } = world;
  const writer = new Consumer({
    log,
    database,
    id: { name: WEBHOOKS, version: 1, rebuild: 0, shard: 0, shards: 1 },
    streams: ['site-'],
    sink: webhookSink(database, COMPOSITION.codec),
  });
  writers.push(writer);
  writer.start();
  return writer;
}

async function revoked(keyId: string): Promise<Position> {
  const [last] = await log.read(siteStream('shop'), { direction: 'backwards', limit: 1 });
  const outcome = await log.append(siteStream('shop'), last?.revision ?? NO_STREAM, [
    anEvent('ApiKeyRevoked', { keyId, at: '2026-01-02T03:04:05.678Z', reason: null }),
  ]);
  if (outcome.outcome !== 'appended') throw new Error(outcome.outcome);
  return outcome.position;
}

const keysTold = async (): Promise<string[]> =>
  (
    await world.database.run<{ key: string }>(
      `select body::json #>> '{data,object,id}' as key from webhooks.event where env = 'live' order by sequence`,
    )
  ).map(({ key }) => key);

it('goes on with another log, of which another event has the place of one that was lost', async () => {
  const writer = startWriter();
  const kept = await revoked('key_aaaaaaaaaaaa');
  const lost = await revoked('key_bbbbbbbbbbbb');
  expect(await writer.waitFor(lost, 60_000)).toBe(true);
  expect(await keysTold()).toEqual(['key_aaaaaaaaaaaa', 'key_bbbbbbbbbbbb']);
  await writer.stop();
  const { database } = world;
  await database.run(
    `insert into webhooks.endpoint (id, site, env, url, types, include_identifiers, secret, created_at, created_by, changed_at, enqueued_through)
     select 'whe_' || n, 'shop', 'live', 'sealed', '{*}', false, 'sealed', now(), 'key_a', now(), n from unnest($1::bigint[]) as n`,
    [[3, lastSequenceOf(lost)]],
  );
  await database.run(
    'alter table log.events disable trigger user; delete from log.events where position > ' +
      `${kept}; alter table log.events enable trigger user`,
  );
  // Cut off and called again, it comes to the same.
  for (let times = 0; times < 2; times++) await forgetAfter(database, kept);
  expect(await keysTold()).toEqual(['key_aaaaaaaaaaaa']);
  const cursors = await database.run('select enqueued_through as at from webhooks.endpoint order by enqueued_through');
  expect(cursors).toEqual([{ at: 3n }, { at: BigInt(lastSequenceOf(kept)) }]);
  const other = startWriter();
  expect(await other.waitFor(await revoked('key_cccccccccccc'), 60_000)).toBe(true);
  expect(await keysTold()).toEqual(['key_aaaaaaaaaaaa', 'key_cccccccccccc']);
});
