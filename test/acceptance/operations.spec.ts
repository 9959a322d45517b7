import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Agent, createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { SYNTHETIC_LISTS } from '../../libs/consent-strings/vendor-list/synthetic-list.js';
import { Database } from '../../libs/engines/database/database.js';
import { assent } from '../support/command-line.js';
import { until } from '../support/timing.js';
import { pathOf, startWorld, type World } from '../support/world.js';

/** Stands where an OpenTelemetry collector would, and keeps what it is sent. */
let collector: Server;
const collected: Buffer[] = [];
/** Stands where IAB Europe publishes the vendor list. */
let publisher: Server;
const { vendors, ...LIST } = { ...SYNTHETIC_LISTS.at(-1)!, synthetic: undefined };
let published = JSON.stringify({ ...LIST, vendors, vendorListVersion: 178 });
const listUrl = (): string => `http://127.0.0.1:${(publisher.address() as AddressInfo).port}/v3/vendor-list.json`;
let world: World;
beforeAll(async () => {
  collector = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => collected.push(chunk));
    request.on('end', () => response.writeHead(200, { 'Content-Type': 'application/x-protobuf' }).end());
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  publisher = createServer(({ url }, response) =>
    url === '/v3/vendor-list.json'
      ? response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(published))
      : response.writeHead(404).end(),
  );
  await new Promise<void>((resolve) => publisher.listen(0, '127.0.0.1', resolve));
  world = await startWorld({
    env: {
      TCF_GVL_URL: listUrl(),
      ASSENT_WEBHOOK_ALLOW: '127.0.0.1/32',
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
      OTEL_BSP_SCHEDULE_DELAY: '100',
      ASSENT_LOG_LEVEL: 'debug',
    },
  });
});
afterAll(async () => {
  await world?.stop();
  collector?.close();
  publisher?.close();
});

const metric = (text: string, line: RegExp): number =>
  Number(new RegExp(`^${line.source} ([\\d.e+-]+)$`, 'm').exec(text)?.at(-1));
/** The metrics once they say so: one text is answered for a second. Asks seldom, because each address has a limit. */
async function metricsOnce(holds: (text: string) => boolean): Promise<{ text: string; type: unknown }> {
  let last = { text: '', type: undefined as unknown };
  await until(async () => {
    const { text, headers } = await world.request('GET', '/metrics', { key: null });
    last = { text, type: headers['content-type'] };
    if (holds(text)) return true;
    await pause(250);
    return false;
  });
  return last;
}
const answersOf = (text: string, operation: string, status: string): number =>
  metric(text, new RegExp(`assent_http_request_seconds_count\\{operation="${operation}",status="${status}"\\}`));

describe('the metrics', () => {
  it('count answers by operation, appends, replays and the lag of projections', async () => {
    const subject = world.visitor();
    const headers = { 'Idempotency-Key': 'metrics-1' };
    await world.recorded({ subject }, { headers });
    await world.recorded({ subject }, { headers });
    await world.request('GET', pathOf(subject));
    const names = ['consent_state', 'preference_state'];
    const ofProjection = (text: string, what: string, name: string): number =>
      metric(text, new RegExp(`assent_projection_${what}\\{projection="${name}"\\}`));
    // Somebody else's events, of the vendor list for instance, may come after any moment.
    const { text, type } = await metricsOnce(
      (seen) =>
        answersOf(seen, 'getConsentState', '2xx') === 1 &&
        names.every((name) => ofProjection(seen, 'lag_seconds', name) === 0),
    );
    expect(type).toMatch(/^text\/plain/);
    expect(answersOf(text, 'recordConsent', '2xx')).toBe(2);
    expect(metric(text, /assent_idempotent_replays_total/)).toBe(1);
    expect(metric(text, /assent_log_append_seconds_count\{outcome="appended"\}/)).toBeGreaterThan(0);
    for (const name of names) expect(ofProjection(text, 'running', name)).toBe(1);
    expect(text).not.toContain(subject.slice(11));
  });

  it('have no label that a caller could make longer', async () => {
    for (const path of ['/nowhere/at/all', '/v1/subjects/visitor_id%3Asecret/nothing'])
      await world.request('GET', path);
    const { text } = await metricsOnce((seen) => answersOf(seen, 'none', '4xx') === 2);
    expect(text).not.toMatch(/nowhere|secret/);
  });

  it('are made once a second at most, however many ask, and each address may ask as often as without a key', async () => {
    const begun = performance.now();
    const ask = () => world.request('GET', '/metrics', { key: null });
    const answers = [...(await Promise.all([ask(), ask(), ask(), ask(), ask(), ask()])), await ask()];
    const madeAtMost = 1 + Math.ceil((performance.now() - begun) / 1_000);
    const texts = answers.filter(({ status }) => status === 200).map(({ text }) => text);
    expect(new Set(texts).size).toBeGreaterThan(0);
    expect(new Set(texts).size).toBeLessThanOrEqual(madeAtMost);
    expect(answers[0]!.headers['ratelimit-policy']).toBe('"default";q=20;w=2');
  });
});

/** What receivers are told of the newest list, once they were told of so many. */
async function updates(times: number): Promise<unknown> {
  return until(async () => {
    const { data } = (await world.request('GET', '/v1/events?types=vendor_list.updated')).body;
    return data.length === times && data.at(-1).data;
  });
}

describe('a vendor list that is published', () => {
  it('is in use by itself, told of to receivers, counted, and found by the doctor', async () => {
    expect(await updates(1)).toEqual({
      object: { object: 'vendor_list', version: 178, lastUpdated: '2026-11-19T16:00:00.000Z', renewals: [] },
      previous: null,
    });
    const { body } = await world.request('GET', '/v1/tcf/vendor-list', { key: 'pk' });
    expect(body).toEqual(JSON.parse(published));
    const byNumber = await world.request('GET', '/v1/tcf/vendor-list?version=178');
    expect(byNumber.body).toEqual(body);
    expect(byNumber.headers['cache-control']).toBe('public, max-age=31536000');
    await metricsOnce((text) => metric(text, /assent_vendor_lists_taken_total\{from="UPSTREAM"\}/) === 1);
    const env = { ASSENT_DATA: world.dataFolder, DATABASE_URL: world.databaseUrl!, TCF_GVL_URL: listUrl() };
    expect((await assent(['doctor'], env)).out).toMatch(/vendor list +ok +looked at 20/);
    const elsewhere = { ...env, TCF_GVL_URL: 'https://lists.example/none.json' };
    expect((await assent(['doctor'], elsewhere)).out).toMatch(/vendor list +warn +TCF_GVL_URL was never looked at/);
  });

  it('says nothing in the strings of people before they agree to what it asks for more', async () => {
    const subject = world.visitor();
    const decide = () => world.recorded({ subject, jurisdiction: { country: 'DE', source: 'DECLARED' } });
    const string = async () => {
      const path = `/v1/consent/tcstring?subject=${encodeURIComponent(subject)}&fresh=true`;
      const { status, body } = await world.request('GET', path, { key: 'pk' });
      return [status, body.vendorListVersion];
    };
    const analytics = async () =>
      (await world.request('GET', `${pathOf(subject)}?fresh=true`)).body.purposes.analytics as Record<string, unknown>;
    await decide();
    expect(await string()).toEqual([200, 178]);
    const more = { ...vendors, 793: { ...vendors[793]!, purposes: [1, 2, 3, 4, 7, 8] } };
    published = JSON.stringify({ ...LIST, vendors: more, vendorListVersion: 179 });
    const database = new Database(world.databaseUrl!, { max: 1 });
    await database.run(`update write.vendor_list_source set due_at = '-infinity'`);
    await database.close();
    expect(await updates(2)).toMatchObject({ object: { version: 179, renewals: ['analytics'] } });
    await world.caughtUp();
    expect(await string()).toEqual([200, 178]);
    expect(await analytics()).toMatchObject({
      effective: 'ALLOWED',
      renewal: { required: true, reason: 'VENDORS_ASK_MORE' },
    });
    await decide();
    expect(await string()).toEqual([200, 179]);
    expect(await analytics()).toMatchObject({ renewal: { required: false } });
  });
});

describe('the log lines', () => {
  it('name operation, status, time and request id, and nothing that was asked', async () => {
    const subject = 'email:ada.lovelace@personal.example';
    await world.request('POST', '/v1/consent', {
      body: { subject, purpose: 'analytics', decision: 'GRANTED', metadata: { note: 'canary-in-metadata' } },
      headers: { 'X-Request-Id': 'asked-by-me' },
    });
    await world.request('GET', pathOf(subject, '?country=US'));
    const output = await world.outputWith((told) => /asked-by-me.*\n/.test(told));
    const lines = output
      .split('\n')
      // The last one may be on its way.
      .slice(0, -1)
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines).toContainEqual(
      expect.objectContaining({
        requestId: 'asked-by-me',
        operation: 'recordConsent',
        status: 201,
        ms: expect.any(Number),
      }),
    );
    expect(world.output()).not.toMatch(/ada\.lovelace|personal\.example|canary-in-metadata|country=US/);
  });
});

describe('the traces', () => {
  it('reach the collector, continue the caller’s trace, and hold nothing personal', async () => {
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    await world.recorded(
      { subject: 'user_id:canary-of-traces' },
      { key: 'sk', headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` } },
    );
    const seen = (): Buffer => Buffer.concat(collected);
    const has = (id: string): boolean => seen().includes(id) || seen().includes(Buffer.from(id, 'hex'));
    for (const until = Date.now() + 240_000; !has(traceId) && Date.now() < until;)
      await world.request('GET', '/livez', { key: null });
    expect(has(traceId)).toBe(true);
    expect(seen().includes('recordConsent')).toBe(true);
    expect(seen().includes('log.append')).toBe(true);
    expect(seen().includes('canary-of-traces')).toBe(false);
  });
});

describe('the capability of a receipt', () => {
  it('stands in no line, no span and no metric, though it is part of an address', async () => {
    const { receiptId, receiptToken } = (await world.recorded()).body as { receiptId: string; receiptToken: string };
    const traceId = '5bf92f3577b34da6a3ce929d0e0e4737';
    const ask = {
      key: null,
      headers: { 'X-Request-Id': 'by-capability', traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
    };
    const { status } = await world.request('GET', `/v1/receipts/${receiptId}?token=${receiptToken}`, ask);
    // What is refused is told of in other ways.
    const refused = await world.request('GET', `/v1/receipts/${receiptId}x?token=${receiptToken}`, { key: null });
    expect([status, refused.status]).toEqual([200, 404]);
    const seen = (): Buffer => Buffer.concat(collected);
    const has = (id: string): boolean => seen().includes(id) || seen().includes(Buffer.from(id, 'hex'));
    for (const until = Date.now() + 240_000; !has(traceId) && Date.now() < until;)
      await world.request('GET', '/livez', { key: null });
    const { text: metrics } = await metricsOnce((text) => answersOf(text, 'getReceipt', '2xx') === 1);
    const told = await world.outputWith((output) => output.includes('by-capability'));
    expect([has(traceId), told.includes('by-capability')]).toEqual([true, true]);
    for (const each of [told, metrics, seen().toString('latin1')])
      expect([each.includes(receiptToken), each.includes(receiptToken.slice(4))]).toEqual([false, false]);
    expect(refused.text).not.toContain(receiptToken.slice(4));
  });
});

describe('a stop', () => {
  it('lets every request that was received finish, and ends', async () => {
    const stopped = await startWorld();
    try {
      // "Expect: 100-continue" tells when the service has a request, before it has the body.
      const received = await Promise.all(Array.from({ length: 20 }, () => begun(stopped)));
      const restarted = stopped.restart();
      for (const until = Date.now() + 240_000; !stopped.output().includes('stopping...') && Date.now() < until;)
        await new Promise((resolve) => setTimeout(resolve, 5));
      const statuses = await Promise.all(received.map((finish) => finish()));
      expect(statuses).toEqual(received.map(() => 201));
      // A stop closes what is still open after ten seconds. One that waited for ever would meet the test's time-out.
      await restarted;
    } finally {
      await stopped.stop();
    }
  });

  it('loses no request of a load balancer that asks whether it is ready', async () => {
    const stopped = await startWorld();
    const agent = new Agent({ keepAlive: true, maxSockets: 16 });
    let isReady = true;
    const [answers, ready]: [string[], number[]] = [[], []];
    const ask = (path: string): Promise<[number, string | undefined]> =>
      new Promise((resolve, reject) => {
        const asked = request(`${stopped.url}${path}`, { agent }, (answer) => {
          answer.resume().on('end', () => resolve([answer.statusCode!, answer.headers.connection]));
        });
        asked.on('error', reject).end();
      });
    const load = async (): Promise<void> => {
      while (isReady) answers.push(String(await ask('/livez').catch((error: Error) => error.message)));
    };
    try {
      const loads = Array.from({ length: 16 }, load);
      await until(() => answers.length >= 500);
      const restarted = stopped.restart();
      await until(async () => ready.push((await ask('/readyz'))[0]) && ready.at(-1) === 503);
      // It goes on sending for as long as it may take to notice.
      await pause(1_000);
      isReady = false;
      await Promise.all(loads);
      expect(new Set(answers)).toEqual(new Set(['200,keep-alive']));
      await restarted;
    } finally {
      agent.destroy();
      await stopped.stop();
    }
  });
});

/** A recording whose headers have arrived; the answer is the function that sends the body and tells the status. */
function begun(own: World): Promise<() => Promise<number>> {
  const body = JSON.stringify({ subject: own.visitor(), purpose: 'analytics', decision: 'GRANTED' });
  return new Promise((resolve, reject) => {
    const asked = request(`${own.url}/v1/consent`, {
      method: 'POST',
      agent: false,
      headers: {
        Authorization: `Bearer ${own.demo.secretKey}`,
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(body),
        Expect: '100-continue',
      },
    });
    asked.on('error', reject);
    asked.on('continue', () =>
      resolve(
        () =>
          new Promise((answered) => {
            asked.on('response', (response) => response.resume().on('end', () => answered(response.statusCode!)));
            asked.end(body);
          }),
      ),
    );
    asked.flushHeaders();
  });
}
