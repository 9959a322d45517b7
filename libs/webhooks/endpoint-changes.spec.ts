import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generator } from '../../test/support/generator.js';
import { startLogDatabase, type LogDatabase } from '../../test/support/log-database.js';
import { PostgresEventLog } from '../log/adapters/postgres/postgres.js';
import { Consumer } from '../following/consumer.js';
import { anEvent } from '../log/contract/log.contract.js';
import { NO_STREAM } from '../log/port.js';
import { COMPOSITION } from '../composition/contexts.js';
import { Announcer } from './announced-events.js';
import { lastSequenceOf } from './envelope.js';
import type { WebhookEndpointEvent } from './events.js';
import { webhooksFold, webhooksStream, type WebhookEndpoint, type WebhooksState } from './state.js';
import { webhookSink } from './webhook-sink.js';
import { WEBHOOKS } from './webhooks-progress.js';

const SEED = Number(process.env['LAWS_SEED'] ?? Date.now() % 2 ** 31);
const RUNS = 5;
const EVENTS = 120;
const SCOPE = { site: 'shop', env: 'test' } as const;
const AT = '2026-11-22T12:00:00.000Z';
const ACTOR = 'system:test';
const endpointId = (n: number): string => `whe_${'0'.repeat(25)}${n}`;

let world: LogDatabase;
let log: PostgresEventLog;
let writer: Consumer;
beforeAll(async () => {
  world = await startLogDatabase('assent_whole');
  log = new PostgresEventLog(world.database);
  writer = new Consumer({
    log,
    database: world.database,
    id: { name: WEBHOOKS, version: 1, rebuild: 0, shard: 0, shards: 1 },
    streams: ['webhooks-'],
    sink: webhookSink(world.database, new Announcer(COMPOSITION.codec, COMPOSITION.webhooks)),
    batchSize: 13,
  });
  writer.start();
});
afterAll(async () => {
  await writer?.stop();
  await log?.close();
  await world?.stop();
});

async function happens(events: readonly WebhookEndpointEvent[]): Promise<bigint> {
  const stream = webhooksStream(SCOPE);
  const [last] = await log.read(stream, { direction: 'backwards', limit: 1 });
  const outcome = await log.append(
    stream,
    last?.revision ?? NO_STREAM,
    events.map(({ type, data }) => anEvent(type, data)),
  );
  if (outcome.outcome !== 'appended') throw new Error(outcome.outcome);
  expect(await writer.waitFor(outcome.position, 60_000)).toBe(true);
  return outcome.position;
}

interface Row {
  id: string;
  [column: string]: unknown;
}
const rows = (): Promise<Row[]> => world.database.run('select * from webhooks.endpoint order by id');

/** What the table holds of an endpoint, by its state. */
const rowOf = (endpoint: WebhookEndpoint): object => ({
  id: endpoint.id,
  ...SCOPE,
  state: endpoint.state,
  disabled_reason: endpoint.disabledReason,
  url: endpoint.sealedUrl,
  types: endpoint.types,
  description: endpoint.description,
  include_identifiers: endpoint.includeIdentifiers,
  secret: endpoint.sealedSecret,
  previous_secret: endpoint.previousSecret?.sealed ?? null,
  previous_until: endpoint.previousSecret && new Date(endpoint.previousSecret.until),
  created_at: new Date(endpoint.createdAt),
  created_by: ACTOR,
  changed_at: new Date(endpoint.changedAt),
});

describe('the table of endpoints', () => {
  it(`is the fold of their stream, whatever happened to them (LAWS_SEED=${SEED})`, async () => {
    const random = generator(SEED);
    const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!;
    let state: WebhooksState = webhooksFold.initial();
    let clock = Date.parse(AT);
    for (let run = 0; run < RUNS; run++) {
      const events: WebhookEndpointEvent[] = [];
      while (events.length < EVENTS) {
        const event = anything(pick, random, new Date(clock++).toISOString());
        // No decision creates one that is there.
        if (event.type === 'WebhookEndpointCreated' && state.endpoints[event.data.endpointId]) continue;
        events.push(event);
        state = webhooksFold.evolve(state, Object.assign(event, { metadata: { actor: ACTOR } }));
      }
      await happens(events);
      const wanted = Object.values(state.endpoints).sort((a, b) => (a.id < b.id ? -1 : 1));
      expect(await rows()).toMatchObject(wanted.map(rowOf));
    }
  });

  it('begins where an endpoint begins; what a receiver showed before it was resumed or led elsewhere is forgotten', async () => {
    const id = endpointId(9);
    const created = { ...settings(1), endpointId: id, sealedSecret: 's', createdAt: AT };
    const position = await happens([{ type: 'WebhookEndpointCreated', data: created }]);
    const one = async (): Promise<Row> => (await rows()).find((row) => row.id === id)!;
    expect(await one()).toMatchObject({ enqueued_through: BigInt(lastSequenceOf(position)) });
    const fails = () =>
      world.database.run(
        `update webhooks.endpoint set failing_since = now(), consecutive_failures = 7, gone_at = now() where id = $1`,
        [id],
      );
    const anew = { failing_since: null, consecutive_failures: 0, gone_at: null };
    await fails();
    await happens([{ type: 'WebhookEndpointChanged', data: { endpointId: id, description: 'x', changedAt: AT } }]);
    expect(await one()).toMatchObject({ consecutive_failures: 7, gone_at: expect.any(Date) });
    await happens([{ type: 'WebhookEndpointChanged', data: { endpointId: id, sealedUrl: 'u', changedAt: AT } }]);
    expect(await one()).toMatchObject(anew);
    await fails();
    await happens([{ type: 'WebhookEndpointResumed', data: { endpointId: id, at: AT } }]);
    expect(await one()).toMatchObject(anew);
  });

  it('knows which stretches are to be told again, until the endpoint is deleted', async () => {
    const [id, replayId] = [endpointId(8), 'whr_1'];
    const replay = { endpointId: id, replayId, fromSequence: 16, throughSequence: 99, types: null, requestedAt: AT };
    await happens([
      { type: 'WebhookEndpointCreated', data: { ...settings(1), endpointId: id, sealedSecret: 's', createdAt: AT } },
      { type: 'WebhookReplayRequested', data: replay },
      { type: 'WebhookReplayRequested', data: { ...replay, replayId: 'whr_2', endpointId: endpointId(7) } },
    ]);
    expect(await world.database.run('select * from webhooks.replay')).toMatchObject([
      { id: replayId, endpoint: id, from_sequence: 16n, through_sequence: 99n, types: null, cursor: 15n },
    ]);
    await happens([{ type: 'WebhookEndpointDeleted', data: { endpointId: id, deletedAt: AT } }]);
    expect(await world.database.run('select * from webhooks.replay')).toEqual([]);
  });
});

describe('deliveries to an endpoint', () => {
  /** Rows of the queue: what was given up, with when. */
  async function givenUp(endpoint: string, ...rows: { key: string; minutesAgo: number }[]): Promise<void> {
    for (const { key, minutesAgo } of rows)
      await world.database.run(
        `insert into deliveries.delivery (channel, endpoint, key, site, env, sequence, attempts, outcome, settled_at, finished_at)
         values ('webhook', $1, $2, 'shop', 'test', 16, 10, '{"outcome":"failed","reason":"given_up"}', now() - make_interval(mins => $3), now() - make_interval(mins => $3))`,
        [endpoint, key, minutesAgo],
      );
  }
  const open = async (endpoint: string): Promise<string[]> =>
    (
      await world.database.run<{ key: string }>(
        'select key from deliveries.delivery where endpoint = $1 and finished_at is null and attempts = 0 order by key',
        [endpoint],
      )
    ).map(({ key }) => key);
  const created = (id: string): WebhookEndpointEvent => ({
    type: 'WebhookEndpointCreated',
    data: { ...settings(1), endpointId: id, sealedSecret: 's', createdAt: AT },
  });
  const eventId = (n: number): string => `evt_${'0'.repeat(25)}${n}`;

  it('are opened again where it is resumed after it was disabled: those that it missed since it failed, and no others', async () => {
    for (const [id, reason] of [
      [endpointId(5), 'FAILING'],
      [endpointId(6), null],
    ] as const) {
      await happens([created(id)]);
      await givenUp(id, { key: eventId(1), minutesAgo: 90 }, { key: eventId(2), minutesAgo: 10 });
      await world.database.run(`update webhooks.endpoint set failing_since = now() - interval '1 hour' where id = $1`, [
        id,
      ]);
      await happens([
        reason
          ? { type: 'WebhookEndpointDisabled', data: { endpointId: id, reason, at: AT } }
          : { type: 'WebhookEndpointPaused', data: { endpointId: id, at: AT } },
        { type: 'WebhookEndpointResumed', data: { endpointId: id, at: AT } },
      ]);
    }
    expect([await open(endpointId(5)), await open(endpointId(6))]).toEqual([[eventId(2)], []]);
  });

  it('are opened again one by one', async () => {
    const id = endpointId(0);
    await happens([created(id)]);
    await givenUp(
      id,
      { key: eventId(1), minutesAgo: 1 },
      { key: `${eventId(1)} whr_${'0'.repeat(26)}`, minutesAgo: 1 },
    );
    const retried = (deliveryId: string): WebhookEndpointEvent => ({
      type: 'WebhookDeliveryRetried',
      data: { endpointId: id, deliveryId, requestedAt: AT },
    });
    await happens([retried(`${id}.${eventId(7)}`), retried(`${id}.${eventId(1)}`)]);
    expect(await open(id)).toEqual([eventId(1)]);
  });
});

const settings = (n: number) => ({
  sealedUrl: `url ${n}`,
  types: [`consent.${n}`, '*'],
  description: n % 2 === 0 ? null : `number ${n}`,
  includeIdentifiers: n % 3 === 0,
});

function anything(pick: <T>(of: readonly T[]) => T, random: () => number, at: string): WebhookEndpointEvent {
  const id = endpointId(pick([1, 2, 3, 4]));
  const n = Math.floor(random() * 1_000);
  const some = Object.fromEntries(Object.entries(settings(n)).filter(() => random() < 0.5));
  return pick<WebhookEndpointEvent>([
    {
      type: 'WebhookEndpointCreated',
      data: { ...settings(n), endpointId: id, sealedSecret: `secret ${n}`, createdAt: at },
    },
    { type: 'WebhookEndpointChanged', data: { endpointId: id, ...some, changedAt: at } },
    { type: 'WebhookEndpointPaused', data: { endpointId: id, at } },
    { type: 'WebhookEndpointResumed', data: { endpointId: id, at } },
    { type: 'WebhookEndpointDisabled', data: { endpointId: id, reason: pick(['GONE', 'FAILING']), at } },
    {
      type: 'WebhookSecretRotated',
      data: { endpointId: id, sealedSecret: `secret ${n}`, previousUntil: at, rotatedAt: at, reason: null },
    },
    { type: 'WebhookEndpointDeleted', data: { endpointId: id, deletedAt: at } },
    { type: 'WebhookTestRequested', data: { endpointId: id, requestedAt: at } },
  ]);
}
