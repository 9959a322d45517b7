import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startLogDatabase, type LogDatabase } from '../../test/support/log-database.js';
import { PostgresEventLog } from '../log/adapters/postgres/postgres.js';
import { Consumer } from '../following/consumer.js';
import { anEvent } from '../log/contract/log.contract.js';
import { NO_STREAM, type NewEvent } from '../log/port.js';
import { subjectStream, type Position } from '../kernel/index.js';
import { COMPOSITION } from '../composition/contexts.js';
import { Announcer } from './announced-events.js';
import { beginAnew } from './begin-anew.js';
import { lastSequenceOf, sequenceOf } from './envelope.js';
import { webhooksStream } from './state.js';
import { webhookEventsIn } from './webhook-events.js';
import { webhookSink } from './webhook-sink.js';
import { WEBHOOKS } from './webhooks-progress.js';

const { codec, webhooks: types } = COMPOSITION;
const announcer = new Announcer(codec, types);
const SCOPE = { site: 'shop', env: 'test' } as const;
const AT = '2026-11-22T12:00:00.000Z';
const SUBJECT = `sub_${'0'.repeat(26)}`;
const endpointId = (n: number): string => `whe_${'0'.repeat(25)}${n}`;
const created = (): NewEvent => anEvent('SubjectCreated', { createdAt: AT });
const endpointCreated = (n: number): NewEvent =>
  anEvent('WebhookEndpointCreated', {
    endpointId: endpointId(n),
    sealedUrl: 'u',
    types: ['*'],
    description: null,
    includeIdentifiers: false,
    sealedSecret: 's',
    createdAt: AT,
  });

let world: LogDatabase;
let other: LogDatabase;
let before: PostgresEventLog;
let after: PostgresEventLog;
beforeAll(async () => {
  world = await startLogDatabase('assent_whole');
  other = await startLogDatabase('assent_whole');
  [before, after] = [new PostgresEventLog(world.database), new PostgresEventLog(other.database)];
});
afterAll(async () => {
  for (const log of [before, after]) await log?.close();
  for (const each of [world, other]) await each?.stop();
});

async function append(log: PostgresEventLog, stream: string, ...events: NewEvent[]): Promise<Position> {
  const [last] = await log.read(stream, { direction: 'backwards', limit: 1 });
  const outcome = await log.append(stream, last?.revision ?? NO_STREAM, events);
  if (outcome.outcome !== 'appended') throw new Error(outcome.outcome);
  return outcome.position;
}
async function followed(log: PostgresEventLog, through: Position): Promise<void> {
  const writer = new Consumer({
    log,
    database: world.database,
    id: { name: WEBHOOKS, version: 1, rebuild: 0, shard: 0, shards: 1 },
    streams: types.streams,
    sink: webhookSink(world.database, announcer),
  });
  writer.start();
  expect(await writer.waitFor(through, 60_000)).toBe(true);
  await writer.stop();
}
/** What this log makes of the rows. */
async function events(log: PostgresEventLog): Promise<[sequence: number, id: string | undefined][]> {
  const rows = await world.database.run<{ sequence: bigint }>(
    'select sequence from webhooks.announced order by sequence',
  );
  const sought = rows.map(({ sequence }) => ({ ...SCOPE, sequence: Number(sequence) }));
  const found = await webhookEventsIn(log, announcer).find(sought);
  return sought.map(({ sequence }, i) => [sequence, found[i]?.envelope.id]);
}
const deliveries = () =>
  world.database.run(
    `select key, sequence::int, finished_at is not null as finished from deliveries.delivery order by key`,
  );

it('holds what another log says, and neither sends again nor loses what it was about to send', async () => {
  const [kept, lost] = [created(), created()];
  const [stream, endpoints] = [subjectStream(SCOPE, SUBJECT), webhooksStream(SCOPE)];
  const [first, second] = [endpointCreated(1), endpointCreated(2)];
  await append(before, endpoints, first, second);
  await append(before, stream, kept, lost);
  const end = await append(before, stream, ...Array.from({ length: 50 }, created));
  await followed(before, end);
  const [[, keptId], [, lostId]] = (await events(before)) as [[number, string], [number, string]];
  await world.database.run('update webhooks.endpoint set enqueued_through = $1, consecutive_failures = 3', [
    sequenceOf(end, 0),
  ]);
  await world.database.run(
    `insert into webhooks.replay (id, endpoint, from_sequence, through_sequence, cursor, requested_at) values ('whr_1', $1, 16, 800, 700, now())`,
    [endpointId(1)],
  );
  for (const [id, sequence] of [
    [keptId, 32],
    [lostId, 48],
  ] as const)
    await world.database.run(
      `insert into deliveries.delivery (channel, endpoint, key, site, env, sequence, payload) values ('webhook', $1, $2, 'shop', 'test', $3, '')`,
      [endpointId(1), id, sequence],
    );

  // Another log: other positions, one endpoint and most events less.
  await append(after, 'operations', anEvent('Unheard'), anEvent('Unheard'), anEvent('Unheard'));
  await append(after, endpoints, first);
  const ends = await append(after, stream, kept);
  for (let times = 0; times < 2; times++) {
    await beginAnew({ log: after, codec, types, database: world.database }, ends);
    expect(await events(after)).toEqual([[sequenceOf(4n, 0), keptId]]);
    expect(await world.database.run('select * from webhooks.endpoint')).toMatchObject([
      { id: endpointId(1), enqueued_through: BigInt(lastSequenceOf(ends)), consecutive_failures: 3 },
    ]);
    expect(await world.database.run('select through_sequence, cursor from webhooks.replay')).toEqual([
      { through_sequence: BigInt(lastSequenceOf(ends)), cursor: BigInt(lastSequenceOf(ends)) },
    ]);
    expect(await deliveries()).toEqual(
      [
        { key: keptId, sequence: sequenceOf(4n, 0), finished: false },
        { key: lostId, sequence: 48, finished: true },
      ].sort((a, b) => (a.key < b.key ? -1 : 1)),
    );
  }
  // Its writer goes on behind that.
  await followed(after, await append(after, stream, created()));
  expect((await events(after)).map(([sequence]) => sequence)).toEqual([sequenceOf(4n, 0), sequenceOf(5n, 0)]);
});

it('ends before what this release cannot read, where its writer stops', async () => {
  const unheard = await append(after, subjectStream(SCOPE, SUBJECT), anEvent('Unheard'), created());
  await beginAnew({ log: after, codec, types, database: world.database }, unheard);
  expect(await events(after)).toHaveLength(2);
  const [{ position }] = (await world.database.run<{ position: bigint }>(
    'select position from projection.shards where name = $1',
    [WEBHOOKS],
  )) as [{ position: bigint }];
  expect(position).toBe(unheard - 2n);
});
