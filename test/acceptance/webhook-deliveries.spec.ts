import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { Webhook } from 'standardwebhooks';
import { subjectPath } from '../support/subjects.js';
import { faultOf } from '../support/webhook-events.js';
import { startWorld, type World } from '../support/world.js';
import { until } from '../support/timing.js';
import type { Envelope } from '../../libs/webhooks/envelope.js';

interface Received {
  headers: IncomingHttpHeaders;
  text: string;
  envelope: Envelope;
}

let world: World;
const servers: Server[] = [];
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.stop());
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** Keeps what it says yes to. `answers`: statuses of its first answers; then it says yes. */
async function receiver(...answers: number[]): Promise<{ url: string; received: Received[]; asked: () => number }> {
  const received: Received[] = [];
  let asked = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const status = answers[asked++] ?? 200;
      const text = Buffer.concat(chunks).toString('utf8');
      if (status < 300) received.push({ headers: request.headers, text, envelope: JSON.parse(text) as Envelope });
      response.writeHead(status).end('thanks');
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received, asked: () => asked };
}

async function created(url: string, more: object = {}): Promise<{ id: string; secret: string }> {
  const answer = await world.request('POST', '/v1/webhook-endpoints', {
    key: 'sk',
    body: { url, types: ['consent.recorded'], ...more },
  });
  expect(answer.status).toBe(201);
  return answer.body as { id: string; secret: string };
}

const state = async (id: string) =>
  (await world.request('GET', `/v1/webhook-endpoints/${id}`, { key: 'sk' })).body as {
    state: string;
    disabledReason: string | null;
  };
const change = (id: string, body: object) => world.request('PATCH', `/v1/webhook-endpoints/${id}`, { key: 'sk', body });

describe('webhooks', () => {
  it('reach the receiver that was named, signed in both forms, as their schema says', async () => {
    const { url, received } = await receiver();
    const { secret } = await created(url);
    const { body: record } = await world.recorded();
    await until(() => received.length === 1);
    const [{ headers, text, envelope }] = received as [Received];
    expect(faultOf(envelope)).toBeNull();
    expect(envelope).toMatchObject({
      type: 'consent.recorded',
      subject: { id: (record.subject as { id: string }).id },
      site: world.demo.site,
    });
    expect(headers).toMatchObject({ 'webhook-id': envelope.id, 'content-type': 'application/json; charset=utf-8' });
    new Webhook(secret).verify(text, headers as Record<string, string>);
    const [, timestamp, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['consent-signature']))!;
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    expect(createHmac('sha256', key).update(`${timestamp}.${text}`).digest('hex')).toBe(signature);
  });

  it('are tried again, and arrive in the order of the subject', async () => {
    const { url, received, asked } = await receiver(503);
    await created(url);
    const subject = world.visitor();
    for (const decision of ['GRANTED', 'DENIED', 'GRANTED']) await world.recorded({ subject, decision }, { key: 'sk' });
    await until(() => received.length === 3);
    expect(asked()).toBe(4);
    const sequences = received.map(({ envelope }) => envelope.sequence);
    expect(sequences).toEqual([...sequences].sort((a, b) => a - b));
  });

  it('wait while the endpoint is paused, and it is sent exactly what it missed', async () => {
    const { url, received } = await receiver();
    const { id } = await created(url);
    await world.recorded();
    await until(() => received.length === 1);
    await change(id, { state: 'PAUSED' });
    const missed: string[] = [];
    for (let n = 0; n < 3; n++) missed.push(((await world.recorded()).body.subject as { id: string }).id);
    await world.caughtUp();
    await change(id, { state: 'ENABLED' });
    await until(() => received.length === 4);
    expect(received.slice(1).map(({ envelope }) => envelope.subject!.id)).toEqual(expect.arrayContaining(missed));
  });

  it('end where the receiver answers 410, others are told of it, and what it refused comes when it is resumed', async () => {
    const other = await receiver();
    await created(other.url, { types: ['webhook.endpoint_disabled'] });
    const { url, received } = await receiver(410);
    const { id } = await created(url);
    await world.recorded();
    await until(async () => (await state(id)).state === 'DISABLED');
    expect(await state(id)).toMatchObject({ disabledReason: 'GONE' });
    await until(() => other.received.some(({ envelope }) => (envelope.data.object as { id?: string }).id === id));
    await world.recorded();
    await change(id, { state: 'ENABLED' });
    await until(() => received.length === 2);
    const sequences = received.map(({ envelope }) => envelope.sequence);
    expect(new Set(sequences).size).toBe(2);
  });

  it('end where the receiver failed for five days without one success, and not a day sooner', async () => {
    const [failing, young] = [
      await receiver(...Array<number>(50).fill(500)),
      await receiver(...Array<number>(50).fill(500)),
    ];
    const [{ id }, { id: younger }] = [await created(failing.url), await created(young.url)];
    const database = new pg.Client({ connectionString: world.databaseUrl! });
    await database.connect();
    try {
      await world.recorded();
      await until(async () => {
        const { rows } = await database.query<{ failed: boolean }>(
          'select failing_since is not null as failed from webhooks.endpoint where id = any($1)',
          [[id, younger]],
        );
        return rows.length === 2 && rows.every(({ failed }) => failed);
      });
      // The clock of five days is the only thing that a test cannot wait for.
      const failingFor = (endpoint: string, days: number) =>
        database.query(
          'update webhooks.endpoint set failing_since = failing_since - make_interval(days => $2) where id = $1',
          [endpoint, days],
        );
      await failingFor(younger, 4);
      await failingFor(id, 5);
      await until(async () => (await state(id)).state === 'DISABLED');
    } finally {
      await database.end();
    }
    expect(await state(id)).toMatchObject({ disabledReason: 'FAILING' });
    expect(await state(younger)).toMatchObject({ state: 'ENABLED' });
  });

  it('are sent again by a replay, under the same ids and with the same bytes', async () => {
    const { url, received } = await receiver();
    const { id } = await created(url);
    for (let n = 0; n < 3; n++) await world.recorded();
    await until(() => received.length === 3);
    const from = Math.min(...received.map(({ envelope }) => envelope.sequence));
    const replay = await world.request('POST', `/v1/webhook-endpoints/${id}/replay`, {
      key: 'sk',
      body: { fromSequence: from },
    });
    expect(replay.status).toBeLessThan(300);
    await until(() => received.length === 6);
    const texts = (some: Received[]) => some.map(({ text }) => text).sort();
    expect(texts(received.slice(3))).toEqual(texts(received.slice(0, 3)));
  });

  it('name identifiers only where the endpoint asks for them, and of somebody who was erased they are gone from what waits', async () => {
    const plain = await receiver();
    const named = await receiver(503);
    await created(plain.url, { types: ['consent.recorded', 'subject.erased'] });
    const { id } = await created(named.url, { types: ['consent.recorded'], includeIdentifiers: true });
    const email = `ada-${Date.now()}@shop.example`;
    await world.recorded({ subject: `email:${email}` }, { key: 'sk' });
    await until(() => named.received.length === 1);
    expect(named.received[0]!.envelope.subject).toMatchObject({ identifiers: [{ kind: 'email', value: email }] });
    expect(faultOf(named.received[0]!.envelope)).toBeNull();
    expect(plain.received[0]!.text).not.toContain(email);
    await change(id, { state: 'PAUSED' });
    await world.recorded({ subject: `email:${email}`, decision: 'DENIED' }, { key: 'sk' });
    await world.caughtUp();
    await world.request('POST', subjectPath(`email:${email}`, '/erase'), { key: 'sk', body: {} });
    await until(() => plain.received.some(({ envelope }) => envelope.type === 'subject.erased'));
    await change(id, { state: 'ENABLED' });
    await until(() => named.received.length === 2);
    expect(named.received[1]!.text).not.toContain('identifiers');
  });
});
