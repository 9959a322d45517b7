import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { certificateAuthority, selfSignedCertificate } from '../../../test/support/certificate.js';
import { BOMB } from '../../../test/support/receiver-ways.js';
import { startReceiver, startSilence, type Receiver } from '../../../test/support/receiver.js';
import { settlesWithin, until } from '../../../test/support/timing.js';
import { networkOf, type AddressRules } from '../endpoints/address.js';
import { secretText } from './signature.js';
import { WebhookSender, type SenderOptions, type Sending, type Sent } from './sender.js';

const INSIDE: AddressRules = {
  allowed: [networkOf('127.0.0.1/32')!],
  ports: [],
  namedOnThisMachine: false,
  own: { host: 'consent.shop.example', ports: [], machine: [] },
};
const PUBLIC_ONLY: AddressRules = { ...INSIDE, allowed: [] };
const KEY = Buffer.alloc(32, 7);
const OTHER = Buffer.alloc(32, 8);
const EVENT = {
  eventId: 'evt_01KAK3V0ZC8W9J2M4N6P8Q0R2S',
  body: Buffer.from('{"id":"evt_01KAK3V0ZC8W9J2M4N6P8Q0R2S"}'),
};
const to = (url: string, rules = INSIDE): Sending => ({ url, ...EVENT, keys: [KEY], rules });
const MB = 1_048_576;

const authority = certificateAuthority('Assent tests');
/** The certificates that the authority issues are for `localhost`. */
const resolve = async (host: string): Promise<string[]> => (host.endsWith('.unknown') ? [] : ['127.0.0.1']);
const senders: WebhookSender[] = [];
const sender = (limits: Partial<SenderOptions> = {}): WebhookSender => {
  const made = new WebhookSender({ nowMs: Date.now, resolve, ca: authority.cert, ...limits });
  senders.push(made);
  return made;
};
afterEach(() => senders.splice(0).forEach((each) => each.close()));

let receiver: Receiver;
let plain: Receiver;
/** Nothing may ever come here. */
let inward: Receiver;
beforeAll(async () => {
  plain = await startReceiver();
  inward = await startReceiver();
  receiver = await startReceiver({ tls: authority.issue(), redirectTo: `${inward.url}/inward` });
});
afterAll(() => Promise.all([receiver, plain, inward].map((each) => each.stop())));

const toReceiver = (path: string): Sending => to(`https://localhost:${receiver.port}${path}`);

describe('an attempt', () => {
  it('posts the bytes, and keeps in clear only how it went', async () => {
    const { attempted, answer } = await sender().send(toReceiver('/thanks?as=it+is'));
    expect(attempted).toEqual({ outcome: 'delivered', evidence: { status: 204, durationMs: expect.any(Number) } });
    expect(answer).toHaveLength(0);
    const { path, headers, body } = receiver.received.at(-1)!;
    expect({ path, body }).toEqual({ path: '/thanks?as=it+is', body: EVENT.body });
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'accept-encoding': 'identity',
      'user-agent': 'Assent-Webhooks',
      host: `localhost:${receiver.port}`,
    });
  });

  it('is signed in both forms, for each secret that is valid, at its own time; bytes and id stay', async () => {
    const startMs = Date.now();
    for (const laterMs of [0, 5_000]) {
      const at = sender({ nowMs: () => startMs + laterMs });
      await at.send({ ...toReceiver('/500'), keys: [KEY, OTHER] });
    }
    const [first, second] = receiver.received.slice(-2) as [Receiver['received'][0], Receiver['received'][0]];
    for (const { headers, body } of [first, second]) {
      for (const key of [KEY, OTHER]) {
        const verified = new Webhook(secretText(key)).verify(body, headers as Record<string, string>);
        expect(verified).toEqual({ id: EVENT.eventId });
      }
      expect(() =>
        new Webhook(secretText(Buffer.alloc(32, 9))).verify(body, headers as Record<string, string>),
      ).toThrow();
      const timestamp = headers['webhook-timestamp'] as string;
      const macs = [KEY, OTHER].map((key) =>
        createHmac('sha256', key)
          .update(Buffer.concat([Buffer.from(`${timestamp}.`), body]))
          .digest('hex'),
      );
      expect(headers['consent-signature']).toBe(`t=${timestamp},v1=${macs[0]},v1=${macs[1]}`);
    }
    expect(second.body).toEqual(first.body);
    expect(second.headers['webhook-id']).toBe(first.headers['webhook-id']);
    expect(Number(second.headers['webhook-timestamp'])).toBe(Number(first.headers['webhook-timestamp']) + 5);
  });

  it('that is ended from outside ends at once', async () => {
    const ending = new AbortController();
    const sent = sender().send(toReceiver('/hangs'), ending.signal);
    await until(() => receiver.received.at(-1)?.path === '/hangs');
    ending.abort();
    expect(await settlesWithin(5_000, sent)).toBe(true);
    expect((await sent).attempted).toMatchObject({ outcome: 'retry', reason: 'timed_out' });
    expect((await sender().send(toReceiver('/thanks'), AbortSignal.abort())).attempted).toMatchObject({
      outcome: 'retry',
    });
  });
});

const evidence = (status: number | null) => ({ status, durationMs: expect.any(Number) });
const delivered = (status: number) => ({ outcome: 'delivered', evidence: evidence(status) });
const retry = (reason: string, status: number | null = null) => ({
  outcome: 'retry',
  reason,
  evidence: evidence(status),
});

/** How each ends; all are tried at once. */
const MISBEHAVING: [path: string, attempted: object][] = [
  ['/thanks', delivered(200)],
  ['/until-closed', delivered(200)],
  ['/interim', delivered(200)],
  // Received, whatever else it says: no more than 64 kB of it are read, and nothing is unpacked.
  ['/100-mb', delivered(200)],
  ['/endless', delivered(200)],
  ['/bomb', delivered(200)],
  ['/500', retry('500', 500)],
  ['/400', retry('400', 400)],
  ['/429', retry('429', 429)],
  ['/503', retry('503', 503)],
  ['/410', { ...retry('gone', 410), outcome: 'failed' }],
  ['/410-dripping', { ...retry('gone', 410), outcome: 'failed' }],
  ['/301', retry('301', 301)],
  ['/302', retry('302', 302)],
  ['/307', retry('307', 307)],
  ['/308', retry('308', 308)],
  ['/hangs', retry('timed_out')],
  ['/drips', retry('timed_out', 200)],
  ['/drips-headers', retry('timed_out')],
  ['/resets', retry('connection_lost')],
  ['/closes', retry('connection_lost')],
  ['/resets-midway', retry('connection_lost', 200)],
  ['/closes-midway', retry('connection_lost', 200)],
  ['/endless-headers', retry('not_http')],
  ['/endless-header', retry('not_http')],
  ['/not-http', retry('not_http')],
  ['/two-lengths', retry('not_http')],
  ['/endless-interim', retry('not_http')],
  ['/drips-interim', retry('not_http')],
  ['/switches', retry('not_http')],
];

/** Only their time ends these. The others are given so much of it that a busy machine takes none of them for one of these. */
const ENDED_BY_TIME = ['/hangs', '/drips', '/drips-headers', '/410-dripping'];

describe('receivers that misbehave, all at once', () => {
  const answers = new Map<string, Sent>();
  let brief: WebhookSender;
  let patient: WebhookSender;
  let inTime: boolean;
  let grownBytes = 0;
  beforeAll(async () => {
    const TOTAL_MS = 60_000;
    const senderOf = (totalMs: number): WebhookSender =>
      new WebhookSender({ nowMs: Date.now, resolve, ca: authority.cert, totalMs, connectMs: TOTAL_MS });
    [brief, patient] = [senderOf(5_000), senderOf(TOTAL_MS)];
    const bytes = (): number => process.memoryUsage().rss;
    const before = bytes();
    const watching = setInterval(() => (grownBytes = Math.max(grownBytes, bytes() - before)), 20);
    const all = MISBEHAVING.map(async ([path]) => {
      const by = ENDED_BY_TIME.includes(path) ? brief : patient;
      answers.set(path, await by.send(toReceiver(path)));
    });
    // Two large answers are nothing beside twenty.
    const large = Array.from({ length: 20 }, () => patient.send(toReceiver('/100-mb')));
    inTime = await settlesWithin(TOTAL_MS, Promise.all([...all, ...large]));
    await Promise.all([...all, ...large]);
    clearInterval(watching);
  });
  afterAll(() => {
    brief.close();
    patient.close();
  });

  it.each(MISBEHAVING)('%s', (path, attempted) => {
    expect(answers.get(path)!.attempted).toMatchObject(attempted);
  });

  it('end in time', () => expect(inTime).toBe(true));

  it('cost no memory', () => expect(grownBytes).toBeLessThan(150 * MB));

  it('are asked to wait for as long as they say', () => {
    const afterMs = (path: string): number | undefined =>
      (answers.get(path)!.attempted as { afterMs?: number }).afterMs;
    expect(afterMs('/429')).toBe(120_000);
    expect(afterMs('/503')! / 1_000).toBeGreaterThan(500);
    expect(afterMs('/503')! / 1_000).toBeLessThanOrEqual(600);
    expect(afterMs('/500')).toBeUndefined();
  });

  it('are heard: the first bytes of what they say are kept, as they came', () => {
    const said = (path: string): Buffer => answers.get(path)!.answer;
    expect(said('/500').toString()).toBe('out of order');
    expect(said('/resets-midway').toString()).toBe('half of');
    expect(said('/100-mb').toString()).toBe('a'.repeat(1_024));
    expect(said('/bomb')).toEqual(BOMB.subarray(0, 1_024));
    expect(said('/hangs')).toHaveLength(0);
  });

  it('lead nobody inward', () => expect(inward.connections).toEqual([]));

  it('keep no connection but those that can be used again', async () => {
    const usable = [
      '/thanks',
      '/interim',
      '/500',
      '/400',
      '/429',
      '/503',
      '/410',
      '/301',
      '/302',
      '/307',
      '/308',
      '/bomb',
    ];
    const left = (): string[] => receiver.connections.filter(({ isOpen }) => isOpen).map(({ paths }) => paths.at(-1)!);
    await until(() => left().every((path) => usable.includes(path)));
    expect(left().length).toBeLessThanOrEqual(8);
    brief.close();
    patient.close();
    await until(() => left().length === 0);
    const large = receiver.connections.filter(({ paths }) => paths.includes('/100-mb'));
    expect(large).toHaveLength(21);
    // What the kernel buffers on the way was written too.
    for (const { bytesWritten } of large) expect(bytesWritten).toBeLessThan(20 * MB);
  });
});

describe('a connection that does not come about', () => {
  it.each<[what: string, url: () => string, reason: string]>([
    ['nobody listens', () => 'http://127.0.0.1:1/', 'connection_failed'],
    ['nobody knows the host', () => 'https://hooks.unknown:8443/', 'host_not_found'],
    ['TLS where none is spoken', () => `https://127.0.0.1:${plain.port}/`, 'tls_failed'],
    ['no TLS where it is spoken', () => `http://127.0.0.1:${receiver.port}/`, 'connection_lost'],
    // The certificate is for localhost and 127.0.0.1.
    ['a certificate of somebody else', () => `https://hooks.example:${receiver.port}/`, 'tls_failed'],
  ])('%s', async (_, url, reason) => {
    const { attempted } = await sender().send(to(url()));
    expect(attempted).toMatchObject({ outcome: 'retry', reason, evidence: { status: null } });
  });

  it.each<[what: string, tls: () => { key: string; cert: string }]>([
    ['has run out', () => authority.issue(new Date(Date.now() - 60_000))],
    ['nobody vouches for', () => selfSignedCertificate()],
  ])('a certificate that %s', async (_, tls) => {
    const untrusted = await startReceiver({ tls: tls() });
    // An operator who sets this means to switch the check off.
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      const { attempted } = await sender().send(to(`${untrusted.url}/thanks`));
      expect(attempted).toMatchObject({ outcome: 'retry', reason: 'tls_failed', evidence: { status: null } });
      expect(untrusted.received).toEqual([]);
    } finally {
      delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
      await untrusted.stop();
    }
  });

  it('a TLS handshake that hangs', async () => {
    const silence = await startSilence();
    const sent = sender({ connectMs: 300 }).send(to(`https://127.0.0.1:${silence.port}/`));
    expect(await settlesWithin(5_000, sent)).toBe(true);
    expect((await sent).attempted).toMatchObject({ outcome: 'retry', reason: 'connect_timed_out' });
    await silence.stop();
  });
});

describe('the way inward', () => {
  it.each([
    'http://127.0.0.1:PORT/',
    'https://127.0.0.1:PORT/',
    'https://127.1:8443/',
    'https://[::1]:8443/',
    'https://[::ffff:127.0.0.1]:8443/',
    'https://2130706433:8443/',
    'https://localhost:8443/',
    // Their names are public, and lead inside.
    'https://hooks.example/',
    'https://hooks.example:8443/',
    'https://user@hooks.example:8443/',
    'https://hooks.example:22/',
    'https://consent.shop.example/',
    'ftp://hooks.example/',
  ])('is closed: %s', async (url) => {
    const { attempted } = await sender().send(to(url.replace('PORT', String(inward.port)), PUBLIC_ONLY));
    expect(attempted).toMatchObject({ outcome: 'retry', reason: 'address_not_allowed', evidence: { status: null } });
    expect(inward.connections).toEqual([]);
  });

  it('is not opened by a proxy of the environment', async () => {
    const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy', 'ALL_PROXY'];
    const proxy = await startReceiver();
    for (const name of names) process.env[name] = proxy.url;
    process.env['NODE_USE_ENV_PROXY'] = '1';
    try {
      expect((await sender().send(to(`${plain.url}/thanks`))).attempted.outcome).toBe('delivered');
      expect((await sender().send(toReceiver('/thanks'))).attempted.outcome).toBe('delivered');
      expect(proxy.connections).toEqual([]);
    } finally {
      for (const name of [...names, 'NODE_USE_ENV_PROXY']) delete process.env[name];
      await proxy.stop();
    }
  });
});
