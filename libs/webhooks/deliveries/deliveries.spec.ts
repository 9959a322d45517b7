import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { generator } from '../../../test/support/generator.js';
import { startLogDatabase, type LogDatabase } from '../../../test/support/log-database.js';
import { numbered, WebhookQueue } from '../../../test/support/webhook-queue.js';
import { until } from '../../../test/support/timing.js';
import type { DeliveryRunner } from '../../deliveries/runner.js';
import { DependencyUnavailable } from '../../engines/dependency-unavailable.js';
import { LogUnavailable } from '../../log/port.js';
import { Vault } from '../../vault/vault.js';
import { bodyText } from '../envelope.js';
import type { WebhookEvidence } from '../sending/outcome.js';
import type { Sending, Sent } from '../sending/sender.js';
import { Answers } from './answers.js';
import { enqueueNew } from './enqueue.js';
import { forgetDeliveries } from './forget.js';
import { webhookHealth } from './health-counts.js';
import { listDeliveries } from './listing.js';
import { IN_FLIGHT_MAX } from './receivers.js';
import { reopenGivenUp, retryDelivery } from './reopen.js';
import { webhookRunner, type WebhookRunnerOptions } from './webhook-runner.js';

const SEED = Number(process.env['LAWS_SEED'] ?? Date.now() % 2 ** 31);
const SCOPE = { site: 'shop', env: 'test' } as const;
let world: LogDatabase;
let queue: WebhookQueue;
let vault: Vault;
const runners: DeliveryRunner<WebhookEvidence>[] = [];
const releases: (() => void)[] = [];

beforeAll(async () => {
  world = await startLogDatabase('assent_whole');
  queue = new WebhookQueue(world.database);
  vault = new Vault(world.database, queue.master);
});
afterAll(() => world?.stop());
afterEach(async () => {
  for (const release of releases.splice(0)) release();
  await stopped();
  await queue.clear();
});
const stopped = () => Promise.all(runners.splice(0).map((runner) => runner.stop()));

const sent = (attempted: Sent['attempted'], answer = ''): Sent => ({ attempted, answer: Buffer.from(answer) });
const evidence = (status: number | null): WebhookEvidence => ({ status, durationMs: 1 });
const ok = sent({ outcome: 'delivered', evidence: evidence(200) }, 'thanks');
const busy = sent({ outcome: 'retry', reason: '503', evidence: evidence(503) }, 'later');
const gone = sent({ outcome: 'failed', reason: 'gone', evidence: evidence(410) });
const hang = (): Promise<Sent> => new Promise((resolve) => releases.push(() => resolve(ok)));

function run(send: (sending: Sending) => Sent | Promise<Sent>, more: Partial<WebhookRunnerOptions> = {}): void {
  const runner = webhookRunner({
    database: world.database,
    events: queue.made,
    vault,
    master: queue.master,
    send: (sending) => Promise.resolve(send(sending)),
    rulesOf: () => ({ allowed: [], ports: [], namedOnThisMachine: false, own: { host: null, ports: [], machine: [] } }),
    nowMs: () => Date.now(),
    scheduleMs: [0, 0, 0],
    random: () => 0.5,
    graceMs: 0,
    ...more,
  });
  runners.push(runner);
  runner.start();
}

const listed = (endpoint: string) =>
  listDeliveries(world.database, new Answers(new Vault(world.database, queue.master)), endpoint, {
    before: null,
    limit: 1_000,
  });
const over = (endpoint: string) =>
  until(async () => (await listed(endpoint)).every(({ state }) => state !== 'WAITING'));
/** All that there is; a runner that notes attempts may have the row of an endpoint for a moment. */
const enqueued = () => until(async () => (await enqueueNew(world.database, queue.made, [])).length === 0);
const endpointRow = async (id: string) =>
  (
    await world.database.run<{ failures: number; failing: boolean; gone: boolean; succeeded: boolean }>(
      `select consecutive_failures as failures, failing_since is not null as failing, gone_at is not null as gone, last_success_at is not null as succeeded
       from webhooks.endpoint where id = $1`,
      [id],
    )
  )[0];

describe('deliveries of webhooks', () => {
  it('send the bytes of the event under its id, signed with both keys while the secret is rotated', async () => {
    const endpoint = await queue.endpoint(['*'], 'https://receiver.example/hook?token=1');
    await queue.set(endpoint, `previous_secret = secret, previous_until = now() + interval '1 hour'`);
    const [id] = await queue.many(1);
    await enqueued();
    const sendings: Sending[] = [];
    run((sending) => (sendings.push(sending), ok));
    await over(endpoint);
    const [event] = await queue.made.find([{ ...SCOPE, sequence: 0 }]);
    expect(sendings).toEqual([
      expect.objectContaining({
        url: 'https://receiver.example/hook?token=1',
        eventId: id,
        body: Buffer.from(bodyText(event!.envelope)),
      }),
    ]);
    expect(sendings[0]!.keys).toHaveLength(2);
  });

  it('are listed with each attempt, the newest first', async () => {
    const endpoint = await queue.endpoint(['*']);
    const subject = await vault.findOrCreate(SCOPE, { kind: 'user_id', value: 'ada' }, Date.now());
    const ids = await queue.happened([
      { type: 'consent.granted', subjectId: subject!.subjectId },
      { type: 'purpose.published', subjectId: null },
    ]);
    await enqueued();
    let isFirst = true;
    run(({ eventId }) => {
      if (eventId !== ids[0] || !isFirst) return ok;
      isFirst = false;
      return busy;
    });
    await over(endpoint);
    const [second, first] = await listed(endpoint);
    expect(second).toMatchObject({
      id: `${endpoint}.${ids[1]}`,
      type: 'purpose.published',
      state: 'DELIVERED',
      subjectId: null,
    });
    expect(second!.attempts).toMatchObject([
      { number: 1, status: 200, reason: null, answer: Buffer.from('thanks'), nextAt: null },
    ]);
    expect(first).toMatchObject({ eventId: ids[0], replayId: null, sequence: 0, nextAttemptAt: null });
    expect(first!.attempts).toMatchObject([
      { number: 1, status: 503, reason: '503', answer: Buffer.from('later'), nextAt: expect.any(Date) },
      { number: 2, status: 200, reason: null, answer: Buffer.from('thanks'), nextAt: null },
    ]);
    // What may repeat personal data is gone with the key of the subject.
    await vault.destroy([subject!.subjectId]);
    expect(
      (await listed(endpoint)).map(({ attempts }) => attempts.map(({ answer }) => answer?.toString() ?? null)),
    ).toEqual([['thanks'], [null, null]]);
  });

  it('of an endpoint that was deleted are dropped', async () => {
    const endpoint = await queue.endpoint(['*']);
    await queue.many(5);
    await enqueued();
    await world.database.run('delete from webhooks.endpoint where id = $1', [endpoint]);
    run(() => ok);
    await over(endpoint);
    expect((await listed(endpoint)).map(({ state, attempts }) => [state, attempts.length])).toEqual(
      Array(5).fill(['FAILED', 0]),
    );
  });

  it('of an endpoint that is paused wait until it goes on', async () => {
    const endpoint = await queue.endpoint(['*']);
    const other = await queue.endpoint(['*']);
    await queue.many(3);
    await enqueued();
    await queue.set(endpoint, `state = 'PAUSED'`);
    let count = 0;
    run(() => (count++, ok));
    await over(other);
    expect(count).toBe(3);
    await queue.set(endpoint, `state = 'ENABLED'`);
    await over(endpoint);
    expect(count).toBe(6);
  });
});

describe('identifiers', () => {
  const identified = async () => {
    const endpoint = await queue.endpoint(['*'], 'https://receiver.example/', true);
    const subject = await vault.findOrCreate(
      SCOPE,
      { kind: 'email', value: `ada-${Math.random()}@shop.example` },
      Date.now(),
    );
    await queue.happened([{ type: 'consent.granted', subjectId: subject!.subjectId }]);
    await enqueued();
    return { endpoint, subjectId: subject!.subjectId };
  };
  const payload = async () =>
    (await world.database.run<{ payload: Buffer | null }>('select payload from deliveries.delivery'))[0]!.payload;

  it('are in the body where the endpoint asks for them, the same bytes on each attempt, and sealed while they wait', async () => {
    const { endpoint, subjectId } = await identified();
    const bodies: string[] = [];
    let waiting: Buffer | null = null;
    run(async ({ body }) => {
      bodies.push(Buffer.from(body).toString());
      if (bodies.length === 2) {
        waiting = await payload();
        // What is known of the subject meanwhile is for the next event.
        await vault.reserve(SCOPE, [{ kind: 'user_id', value: `ada-${subjectId}` }], Date.now(), {
          existing: subjectId,
          newSubjectId: subjectId,
        });
      }
      return bodies.length < 3 ? busy : ok;
    });
    await over(endpoint);
    expect(new Set(bodies).size).toBe(1);
    expect(JSON.parse(bodies[0]!)).toMatchObject({
      subject: { id: subjectId, identifiers: [{ kind: 'email', value: expect.stringContaining('@shop.example') }] },
    });
    expect(waiting!.length).toBeGreaterThan(0);
    expect(waiting!.toString()).not.toContain('shop.example');
    expect(await payload()).toBeNull();
  });

  it('are gone from what waits when the subject is erased, and it is delivered all the same', async () => {
    const { endpoint, subjectId } = await identified();
    const bodies: string[] = [];
    run(({ body }) => (bodies.push(Buffer.from(body).toString()), busy), { scheduleMs: [3_600_000] });
    await until(async () => (await listed(endpoint))[0]?.attempts.length === 1);
    await stopped();
    await vault.destroy([subjectId]);
    await forgetDeliveries(world.database, [subjectId]);
    expect(await payload()).toEqual(Buffer.alloc(0));
    expect(await retryDelivery(world.database, endpoint, numbered('evt', 0))).toBe(true);
    run(({ body }) => (bodies.push(Buffer.from(body).toString()), ok));
    await over(endpoint);
    expect(bodies.map((body) => body.includes('identifiers'))).toEqual([true, false]);
    expect(JSON.parse(bodies[1]!)).toMatchObject({ id: numbered('evt', 0), subject: { id: subjectId } });
  });
});

describe('a receiver that fails', () => {
  it('is tried by fewer at once while it keeps failing, and by all again after a success', async () => {
    const endpoint = await queue.endpoint(['*']);
    await queue.many(60);
    await enqueued();
    let isFailing = true;
    let [now, most] = [0, 0];
    const tried = new Set<string>();
    run(
      async ({ eventId }) => {
        tried.add(eventId);
        most = Math.max(most, ++now);
        await pause(2);
        now--;
        return isFailing ? busy : ok;
      },
      { scheduleMs: [3_600_000] },
    );
    await until(() => tried.size > IN_FLIGHT_MAX * 2);
    expect(most).toBe(IN_FLIGHT_MAX);
    most = 0;
    await until(() => tried.size > IN_FLIGHT_MAX * 3);
    expect(most).toBe(1);
    expect(await endpointRow(endpoint)).toMatchObject({ failing: true, succeeded: false });
    expect(await webhookHealth(world.database)).toMatchObject({ enabled: 1, failing: 1, behind: 0 });
    isFailing = false;
    await until(async () => (await endpointRow(endpoint))!.failures === 0);
    expect(await endpointRow(endpoint)).toEqual({ failures: 0, failing: false, gone: false, succeeded: true });
    await until(() => most > 1);
  });

  it('is not blamed for what fails because of ourselves', async () => {
    const endpoint = await queue.endpoint(['*']);
    await queue.many(1);
    await enqueued();
    run(() => Promise.reject(new Error('bug')));
    await over(endpoint);
    expect(await endpointRow(endpoint)).toMatchObject({ failures: 0, failing: false });
    expect((await listed(endpoint))[0]!.attempts.map(({ reason }) => reason)).toEqual(Array(4).fill('error'));
  });

  it('is not kept waiting for what fails because the log or the database is away', async () => {
    const endpoint = await queue.endpoint(['*']);
    await queue.many(1);
    await enqueued();
    queue.faults.push(new LogUnavailable('away', false), new DependencyUnavailable('write queue'));
    run(() => ok);
    await over(endpoint);
    expect(queue.faults).toEqual([]);
    expect((await listed(endpoint))[0]!.attempts).toHaveLength(1);
  });

  it('gets nothing more from the moment at which it says that it is gone', async () => {
    const endpoint = await queue.endpoint(['*']);
    const other = await queue.endpoint(['*'], 'https://other.example/');
    await queue.many(IN_FLIGHT_MAX * 3);
    await enqueued();
    let count = 0;
    run(({ url }) => {
      if (url === 'https://other.example/') return ok;
      count++;
      return gone;
    });
    await over(other);
    await until(async () => (await endpointRow(endpoint))!.gone);
    expect(count).toBeLessThanOrEqual(IN_FLIGHT_MAX * 2);
    const states = (await listed(endpoint)).map(({ state }) => state);
    expect(states.filter((state) => state === 'WAITING').length).toBe(IN_FLIGHT_MAX * 3 - count);
    await queue.many(1);
    await enqueued();
    expect(await queue.keys(endpoint)).toHaveLength(IN_FLIGHT_MAX * 3);
  });

  it('and said so before it was resumed is not gone', async () => {
    const endpoint = await queue.endpoint(['*']);
    await queue.many(1);
    await enqueued();
    run(async () => {
      await queue.set(endpoint, `changed_at = now() + interval '1 minute'`);
      return gone;
    });
    await over(endpoint);
    expect(await endpointRow(endpoint)).toMatchObject({ gone: false, failing: true });
  });

  it('fails for as long as it is tried: a silence longer than any wait begins anew', async () => {
    const endpoint = await queue.endpoint(['*']);
    await queue.many(2);
    await enqueued();
    const since = async () =>
      (
        await world.database.run<{ days: number }>(
          `select round(extract(epoch from now() - failing_since) / 86400)::int as days from webhooks.endpoint`,
        )
      )[0]!.days;
    run(() => busy, { scheduleMs: [] });
    await over(endpoint);
    await queue.set(
      endpoint,
      `failing_since = now() - interval '4 days', last_failure_at = now() - interval '29 hours'`,
    );
    await queue.many(1);
    await enqueued();
    await over(endpoint);
    expect(await since()).toBe(4);
    await queue.set(endpoint, `last_failure_at = now() - interval '31 hours'`);
    await queue.many(1);
    await enqueued();
    await over(endpoint);
    expect(await since()).toBe(0);
  });
});

describe('what was given up', () => {
  it('is opened again from the moment on at which the failures began, and nothing that arrived', async () => {
    const endpoint = await queue.endpoint(['*']);
    await queue.many(2);
    await enqueued();
    run(() => ok, { scheduleMs: [] });
    await over(endpoint);
    await stopped();
    const failing = await queue.many(3);
    await enqueued();
    run(() => busy, { scheduleMs: [] });
    await over(endpoint);
    await stopped();
    const [row] = await world.database.run<{ since: Date }>('select failing_since as since from webhooks.endpoint');
    expect(await reopenGivenUp(world.database, endpoint, row!.since)).toBe(3);
    const again: string[] = [];
    run(({ eventId }) => (again.push(eventId), ok));
    await over(endpoint);
    expect(again.sort()).toEqual(failing);
    expect((await listed(endpoint))[0]!.attempts.map(({ number }) => number)).toEqual([1, 2]);
  });

  it('and what arrived is sent again when somebody asks for it, one at a time; what is on its way is left alone', async () => {
    const endpoint = await queue.endpoint(['*']);
    const [id] = await queue.many(1);
    await enqueued();
    let count = 0;
    run(() => (count++ === 1 ? hang() : ok));
    await over(endpoint);
    expect(await retryDelivery(world.database, endpoint, id!)).toBe(true);
    await until(() => count === 2);
    expect(await retryDelivery(world.database, endpoint, id!)).toBe(false);
    releases.splice(0).forEach((release) => release());
    await over(endpoint);
    expect(await retryDelivery(world.database, endpoint, numbered('evt', 99))).toBe(false);
    expect((await listed(endpoint))[0]!.attempts).toHaveLength(2);
  });

  it('is tried again after what it waits behind, which is tried at once too', async () => {
    const endpoint = await queue.endpoint(['*']);
    const subjectId = numbered('sub', 1);
    const [first, second] = await queue.happened([
      { type: 'consent.recorded', subjectId },
      { type: 'consent.granted', subjectId },
    ]);
    await enqueued();
    const tried: string[] = [];
    run(({ eventId }) => (tried.push(eventId), tried.length === 1 ? busy : ok), { scheduleMs: [3_600_000] });
    await until(async () => (await listed(endpoint)).some(({ attempts }) => attempts.length === 1));
    expect(await retryDelivery(world.database, endpoint, second!)).toBe(true);
    await over(endpoint);
    expect(tried).toEqual([first, first, second]);
  });
});

it(`arrives in the order of each subject, each at least once, with receivers that fail at random and runners that stop at random (seed ${SEED})`, async () => {
  const random = generator(SEED);
  const endpoints = [await queue.endpoint(['*']), await queue.endpoint(['consent.*'], 'https://other.example/')];
  const arrived = new Map<string, string[]>();
  const subjects = Array.from({ length: 12 }, (_, n) => numbered('sub', n));
  const send = async ({ url, eventId }: Sending): Promise<Sent> => {
    await pause(random() * 4);
    if (random() < 0.3) return busy;
    arrived.set(url, [...(arrived.get(url) ?? []), eventId]);
    return ok;
  };
  const more = { scheduleMs: Array<number>(60).fill(0) };
  const expected: { id: string; subjectId: string }[] = [];
  for (let round = 0; round < 10; round++) {
    if (runners.length < 2) run(send, more);
    const events = Array.from({ length: 30 }, () => ({
      type: 'consent.granted',
      subjectId: subjects[Math.floor(random() * subjects.length)]!,
    }));
    const ids = await queue.happened(events);
    expected.push(...events.map(({ subjectId }, i) => ({ id: ids[i]!, subjectId })));
    await enqueued();
    if (random() < 0.4) await runners.shift()!.stop();
  }
  if (runners.length === 0) run(send, more);
  for (const endpoint of endpoints) await over(endpoint);
  for (const ids of arrived.values()) {
    // An attempt that a stop cut off may have arrived: then the same id comes twice.
    const first = [...new Set(ids)];
    expect([...first].sort()).toEqual(expected.map(({ id }) => id));
    for (const subject of subjects) {
      const own = expected.filter(({ subjectId }) => subjectId === subject).map(({ id }) => id);
      expect(first.filter((id) => own.includes(id))).toEqual(own);
    }
  }
  expect(arrived.size).toBe(2);
}, 120_000);
