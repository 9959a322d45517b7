import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request as ask, type IncomingMessage } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { bodyText } from '../../libs/webhooks/envelope.js';
import type { Envelope } from '../../libs/webhooks/index.js';
import { jsonLines } from '../support/audit-bundle.js';
import { assent } from '../support/command-line.js';
import { startReceiver } from '../support/receiver.js';
import { newSite } from '../support/sites.js';
import { newEmail } from '../support/subjects.js';
import { announcedIn } from '../support/webhook-events.js';
import { startWorld, type Answer, type World } from '../support/world.js';
import { until } from '../support/timing.js';

/* GET /v1/events: what webhooks tell, for those who fetch it. */

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.stop());

interface Page {
  data: Envelope[];
  nextCursor: string | null;
  hasMore: boolean;
}
const feed = async (query = '', more: { key?: string; headers?: Record<string, string> } = {}): Promise<Page> => {
  const { status, text, body } = await world.request('GET', `/v1/events${query}`, { key: 'sk', ...more });
  if (status !== 200) throw new Error(text);
  return body as unknown as Page;
};
const positionOf = ({ headers }: Answer): string => String(headers['x-log-position']);
/** Where the feed ends once it holds what was written. */
const endAfter = async (written: Answer): Promise<string> =>
  (await feed('?after=latest', { headers: { 'X-Log-Position': positionOf(written) } })).nextCursor!;
/** Every event behind a cursor, by pages of so many. */
async function all(after: string, limit: number, query = ''): Promise<Envelope[]> {
  const events: Envelope[] = [];
  for (let cursor = after; ;) {
    const { data, nextCursor, hasMore } = await feed(`?after=${cursor}&limit=${limit}${query}`);
    events.push(...data);
    cursor = nextCursor!;
    if (!hasMore) return events;
  }
}
/** Of a grant of somebody new. */
const OF_A_RECORD = 'subject.created subject.identifier_added consent.recorded consent.granted receipt.issued'.split(
  ' ',
);
const typesOf = (events: readonly Envelope[]): string[] => events.map(({ type }) => type);

describe('the feed of events', () => {
  it('tells what happened, in the order of the log and by the same bytes as deliveries', async () => {
    const from = await endAfter(await world.recorded());
    const written = await world.recorded();
    await endAfter(written);
    const events = await all(from, 50);
    expect(typesOf(events)).toEqual(OF_A_RECORD);
    for (const { environment, site, subject } of events)
      expect({ environment, site, subject }).toEqual({
        environment: 'test',
        site: world.demo.site,
        subject: { id: (written.body.subject as { id: string }).id },
      });
    const bodies = (await announcedIn(world.databaseUrl!))
      .filter(
        ({ site, environment, sequence }) =>
          `${site}.${environment}` === `${world.demo.site}.test` && sequence > Number(from),
      )
      .map(bodyText);
    const { text } = await world.request('GET', `/v1/events?after=${from}`, { key: 'sk' });
    expect(text).toContain(`"data":[${bodies.join(',')}]`);
  });

  it('goes on from any event that was dealt with, by pages of any size', async () => {
    const from = await endAfter(await world.recorded());
    for (let n = 0; n < 3; n++) await world.recorded();
    await endAfter(await world.recorded());
    const whole = await all(from, 200);
    expect(whole).toHaveLength(4 * OF_A_RECORD.length);
    for (const limit of [1, 3, 16]) expect(await all(from, limit)).toEqual(whole);
    const { headers } = await world.request('GET', `/v1/events?after=${from}&limit=1`, { key: 'sk' });
    expect(headers['link']).toBe(`</v1/events?after=${whole[0]!.sequence}&limit=1>; rel="next"`);
    expect(await all(String(whole[9]!.sequence), 50)).toEqual(whole.slice(10));
  });

  it('tells of some types only where some are named', async () => {
    const from = await endAfter(await world.recorded());
    await endAfter(await world.recorded({ decision: 'DENIED' }));
    const told = async (...types: string[]): Promise<string[]> =>
      typesOf(await all(from, 1, types.map((type) => `&types=${encodeURIComponent(type)}`).join('')));
    expect(await told('consent.*')).toEqual(['consent.recorded', 'consent.denied']);
    expect(await told('subject.created', 'receipt.issued')).toEqual(['subject.created', 'receipt.issued']);
    expect(await told('consent.granted')).toEqual([]);
    expect(await told('*')).toHaveLength(OF_A_RECORD.length);
    const { status, body } = await world.request('GET', '/v1/events?types=consent.grantde', { key: 'sk' });
    expect(status).toBe(422);
    expect(body.issues).toEqual([{ path: 'types[0]', message: expect.stringContaining('consent.granted') }]);
  });

  it('tells nobody of another site or environment', async () => {
    const own = await newSite(world);
    const live = await own.key('sk', 'live');
    await endAfter(await world.recorded());
    for (const key of [own.secretKey, live])
      expect(typesOf((await feed('', { key })).data).filter((type) => !type.startsWith('api_key.'))).toEqual([]);
  });

  it('has the same bytes after the subject was erased, and names no identifier before', async () => {
    const from = await endAfter(await world.recorded());
    const email = newEmail();
    const written = await world.recorded({ subject: `email:${email}` }, { key: 'sk' });
    const page = async (): Promise<string> =>
      (await world.request('GET', `/v1/events?after=${from}&limit=${OF_A_RECORD.length}`, { key: 'sk' })).text;
    await endAfter(written);
    const before = await page();
    const { status } = await world.request('POST', `/v1/subjects/${encodeURIComponent(`email:${email}`)}/erase`, {
      key: 'sk',
      body: {},
    });
    expect([status, before.includes(email)]).toEqual([200, false]);
    const events = (text: string): string => text.slice(0, text.indexOf('"nextCursor"'));
    expect(events(await page())).toBe(events(before));
  });

  it('has no gap and no repeat while others write', async () => {
    const from = await endAfter(await world.recorded());
    let isOver = false;
    const seen: Envelope[] = [];
    const reader = (async () => {
      for (let cursor = from; ;) {
        const wasOver = isOver;
        const { data, nextCursor, hasMore } = await feed(`?after=${cursor}&limit=7&wait=1`);
        seen.push(...data);
        cursor = nextCursor!;
        if (wasOver && !hasMore && data.length === 0) return;
      }
    })();
    const writers = Array.from({ length: 8 }, async () => {
      let last!: Answer;
      for (let n = 0; n < 15; n++) last = await world.recorded();
      return last;
    });
    for (const last of await Promise.all(writers)) await endAfter(last);
    isOver = true;
    await reader;
    expect(seen).toHaveLength(8 * 15 * OF_A_RECORD.length);
    expect(seen).toEqual(await all(from, 200));
    seen.forEach(({ sequence }, i) => expect(sequence).toBeGreaterThan(seen[i - 1]?.sequence ?? -1));
  });

  it('refuses a cursor that it has not come to', async () => {
    const end = await endAfter(await world.recorded());
    const { status, body } = await world.request('GET', `/v1/events?after=${Number(end) + 1_000_000}&wait=30`, {
      key: 'sk',
    });
    expect([status, body.code, (body.issues as { path: string }[])[0]!.path]).toEqual([
      422,
      'validation_failed',
      'after',
    ]);
  });
});

describe('who waits for events', () => {
  it('is answered as soon as there is one of the types', async () => {
    const from = await endAfter(await world.recorded());
    const subject = `email:${newEmail()}`;
    const waiting = feed(`?after=${from}&types=consent.withdrawn&wait=30`);
    for (const decision of ['GRANTED', 'WITHDRAWN']) await world.recorded({ subject, decision }, { key: 'sk' });
    expect(typesOf((await waiting).data)).toEqual(['consent.withdrawn']);
  });

  it('gets an empty page when the time is over, and goes on behind what it was not for', async () => {
    const from = await endAfter(await world.recorded());
    await endAfter(await world.recorded());
    const page = await feed(`?after=${from}&types=purpose.retired&wait=1`);
    expect(page).toMatchObject({ data: [], hasMore: false });
    expect(Number(page.nextCursor)).toBeGreaterThan(Number(from));
  });

  /** Waits as a client does that may go away. */
  const waiter = (key: string, from: string) => {
    const { hostname, port } = new URL(world.url);
    return ask({
      host: hostname,
      port,
      path: `/v1/events?after=${from}&types=purpose.retired&wait=30`,
      headers: { Authorization: `Bearer ${key}` },
      agent: false,
    }).end();
  };

  it('holds no connection to the database; who would be one too many is refused, until others are gone', async () => {
    const { secretKey, site, key } = await newSite(world);
    await key('pk', 'test');
    const from = (await feed('?after=latest', { key: secretKey })).nextCursor!;
    const waiters = Array.from({ length: 120 }, () => {
      const sent = waiter(secretKey, from);
      const refused = once(sent, 'response').then(
        ([{ statusCode }]) => statusCode as number,
        () => null,
      );
      return { sent, refused };
    });
    // One process takes fifty of a site, four roles have two processes that read.
    const one = (): Promise<Answer> =>
      world.request('GET', `/v1/events?after=${from}&types=purpose.retired&wait=1`, { key: secretKey });
    try {
      expect(await Promise.race(waiters.map(({ refused }) => refused))).toBe(429);
      // Many more than there are connections, and everybody else is served.
      expect((await world.recorded()).status).toBe(201);
      expect((await world.request('GET', '/v1/events?limit=1', { key: secretKey })).status).toBe(200);
    } finally {
      for (const { sent } of waiters) sent.on('error', () => undefined).destroy();
    }
    const answered = await until(async () => {
      const answer = await one();
      return answer.status !== 429 && answer;
    });
    expect([site, answered.status]).toEqual([site, 200]);
  });

  it('is answered at once when the service stops', async () => {
    const from = await endAfter(await world.recorded());
    const sent = waiter(world.demo.secretKey, from);
    const answered = once(sent, 'response');
    // It waits by the time that a later request of the same kind has been answered.
    await feed(`?after=${from}&types=purpose.retired&wait=1`);
    await world.restart();
    const [answer] = (await answered) as [IncomingMessage];
    answer.resume();
    expect([answer.statusCode, answer.headers.connection]).toEqual([200, 'close']);
  });
});

describe('at the command line', () => {
  const command = async (...args: string[]) => {
    const { demo, url } = world;
    return assent([...args, '--json', '--no-follow'], { ASSENT_URL: url, ASSENT_SECRET_KEY: demo.secretKey });
  };

  it('the same events are shown, a line each, to the byte', async () => {
    const from = await endAfter(await world.recorded());
    await endAfter(await world.recorded());
    const { code, out, err } = await command('events', 'tail', '--after', from);
    expect([code, err]).toEqual([0, expect.any(String)]);
    expect(jsonLines(Buffer.from(out))).toEqual(await all(from, 50));
  });

  it('they are sent to a receiver on this machine, signed as real deliveries are, each once', async () => {
    const receiver = await startReceiver();
    try {
      const from = await endAfter(await world.recorded());
      await endAfter(await world.recorded());
      const secret = `whsec_${randomBytes(32).toString('base64')}`;
      const to = ['--forward-to', `${receiver.url}/hook`, '--secret', secret, '--types', 'consent.*'];
      const { code, out, err } = await command('webhooks', 'listen', '--after', from, ...to);
      expect([code, err]).toEqual([0, expect.stringContaining('Forwarding to')]);
      const events = await all(from, 50, '&types=consent.*');
      expect(typesOf(events)).toEqual(['consent.recorded', 'consent.granted']);
      expect(receiver.received.map(({ path }) => path)).toEqual(['/hook', '/hook']);
      const verifier = new Webhook(secret);
      for (const [i, { body, headers }] of receiver.received.entries()) {
        expect(verifier.verify(body.toString(), headers as Record<string, string>)).toEqual(events[i]);
        const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['consent-signature']))!;
        const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
        expect(createHmac('sha256', key).update(`${t}.`).update(body).digest('hex')).toBe(v1);
      }
      expect(jsonLines(Buffer.from(out))).toMatchObject(events.map(({ id, type }) => ({ id, type, status: 204 })));
    } finally {
      await receiver.stop();
    }
  });

  it('a receiver that is not there is named with each event, and an address that is none is refused', async () => {
    const from = await endAfter(await world.recorded());
    await endAfter(await world.recorded());
    const closed = await startReceiver();
    await closed.stop();
    const { out } = await command(
      'webhooks',
      'listen',
      '--after',
      from,
      '--types',
      'consent.granted',
      '--forward-to',
      closed.url,
    );
    expect(jsonLines(Buffer.from(out))).toMatchObject([{ status: null, error: 'ECONNREFUSED' }]);
    expect((await command('webhooks', 'listen', '--forward-to', 'localhost')).code).toBe(2);
    expect((await command('webhooks', 'listen', '--forward-to', closed.url, '--secret', 'secret')).code).toBe(2);
  });
});
