import { signIdentityToken } from '../../test/support/identity-token.js';
import { MemoryEventLog } from '../log/adapters/memory.js';
import { LogUnavailable } from '../log/port.js';
import { isRefusal, plusMs, type Instant, type Refusal, type Refused } from '../kernel/index.js';
import { authenticate } from './callers/authenticate.js';
import { OVERLAPS_MS, type Overlap } from './decide.js';
import { IdentityTokens } from './tokens/identity-tokens.js';
import { KeyDirectory } from './sites/key-directory.js';
import { Sites, type KeyIssued, type KeyRequest } from './sites/sites.js';
import { Codec } from '../streams/codec.js';
import { SITE_EVENTS } from './events.js';

const codec = new Codec(SITE_EVENTS);

const by = { actor: 'operator', requestId: 'req_1' };
const AT = '2026-11-21T12:00:00.000Z';
const sealer = {
  seal: (_: string, secret: Uint8Array) => Buffer.from(secret).toString('base64url'),
  open: (_: string, sealed: string) => Buffer.from(sealed, 'base64url'),
};
const overlaps = Object.entries(OVERLAPS_MS) as [Overlap, number][];

let log: MemoryEventLog;
let sites: Sites;
/** Two instances, each with a directory of its own. */
let directories: KeyDirectory[];
let now: Instant;
beforeEach(async () => {
  now = AT;
  log = new MemoryEventLog();
  sites = new Sites(log, codec, sealer, () => now);
  directories = [new KeyDirectory(log, codec), new KeyDirectory(log, codec)];
  for (const directory of directories) directory.start();
  await sites.register('shop', {}, by);
});
afterEach(() => Promise.all(directories.map((directory) => directory.stop())));

async function known(done: KeyIssued | Refusal): Promise<KeyIssued> {
  if (isRefusal(done)) throw new Error(done.message);
  await Promise.all(directories.map((directory) => directory.waitFor(done.position!, 1000)));
  return done;
}
const issue = async (request: Partial<KeyRequest> = {}): Promise<KeyIssued> =>
  known(await sites.issueKey('shop', { type: 'sk', env: 'test', name: 'backend', ...request }, by));
const rotate = (keyId: string, overlap: Overlap = '24h') => sites.rotateKey('shop', keyId, overlap, 'yearly', by);
const answers = (text: string, at: Instant) =>
  directories.map((directory) => {
    const found = authenticate(text, directory, () => at);
    return 'refused' in found ? found.refused : found.key.keyId;
  });
const twice = <T>(one: T): T[] => [one, one];

describe('on every instance', () => {
  it.each(overlaps)(
    'a key that is rotated with an overlap of %s works until then and not a moment longer',
    async (overlap, ms) => {
      const old = await issue();
      const successor = await known(await rotate(old.keyId, overlap));
      const end = plusMs(AT, ms);
      if (ms > 0) expect(answers(old.text, plusMs(end, -1))).toEqual(twice(old.keyId));
      else expect(answers(old.text, plusMs(AT, -60_000))).toEqual(twice('api_key_expired'));
      expect(answers(old.text, end)).toEqual(twice('api_key_expired'));
      for (const at of [AT, end]) expect(answers(successor.text, at)).toEqual(twice(successor.keyId));
    },
  );

  it.each(overlaps)('identity tokens that it signed hold until then: %s', async (overlap, ms) => {
    const [old, page] = [await issue(), await issue({ type: 'pk' })];
    await known(await rotate(old.keyId, overlap));
    const end = plusMs(AT, ms);
    const verified = (at: Instant) => {
      const iat = Date.parse(at) / 1000;
      const token = signIdentityToken({
        secretKey: old.text,
        subject: 'user_id:17',
        site: 'shop',
        claims: { iat: Math.floor(iat), exp: Math.floor(iat) + 900 },
      });
      return Promise.all(
        directories.map((directory) =>
          new IdentityTokens(directory, sealer, null, () => at).verify(token, directory.find(page.keyId)!).then(
            ({ keyId }) => keyId,
            (error: Refused) => error.refusal.code,
          ),
        ),
      );
    };
    if (ms > 0) expect(await verified(plusMs(end, -1000))).toEqual(twice(old.keyId));
    expect(await verified(end)).toEqual(twice('identity_token_invalid'));
  });
});

describe('the successor', () => {
  it('has a key of its own, with the type and environment of the old one, and a MAC key of its own', async () => {
    for (const [type, env] of [
      ['pk', 'live'],
      ['sk', 'test'],
    ] as const) {
      const old = await issue({ type, env });
      const { keyId, text, state } = await known(await rotate(old.keyId));
      expect(text.slice(0, 8)).toBe(`${type}_${env}_`);
      const [before, after] = [state.keys.get(old.keyId)!, state.keys.get(keyId)!];
      expect(after.sealedIdentityKey === null).toBe(type === 'pk');
      if (type === 'sk') expect(after.sealedIdentityKey).not.toBe(before.sealedIdentityKey);
    }
  });

  it('is on record with the end of the old key in one append, each with who, when and by which request', async () => {
    const old = await issue();
    now = plusMs(AT, 5000);
    const { keyId } = await known(await rotate(old.keyId, '1h'));
    const events = await log.read('site-shop', { direction: 'forwards', from: 2, limit: 10 });
    expect(events.map(({ type, metadata }) => [type, metadata])).toEqual([
      ['ApiKeyIssued', expect.objectContaining({ ...by, recordedAt: now })],
      ['ApiKeyRotated', expect.objectContaining({ ...by, recordedAt: now })],
    ]);
    expect(events[1]!.data).toEqual({
      keyId: old.keyId,
      successorId: keyId,
      at: now,
      expiresAt: plusMs(now, 3_600_000),
      reason: 'yearly',
    });
    expect(directories[0]!.site('shop')!.keys.get(keyId)).toMatchObject({
      createdBy: 'operator',
      rotatedFrom: old.keyId,
    });
  });

  it('is the same one where the log’s answer was lost', async () => {
    const old = await issue();
    const append = log.append.bind(log);
    log.append = async (...of) => {
      log.append = append;
      await append(...of);
      throw new LogUnavailable('no answer', true);
    };
    const { keyId, text, state } = await known(await rotate(old.keyId));
    expect(answers(text, AT)).toEqual(twice(keyId));
    expect(state.keys.size).toBe(2);
  });

  it('is the only one, however many ask at once', async () => {
    const old = await issue();
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => rotate(old.keyId)));
    expect(outcomes.filter((outcome) => !isRefusal(outcome))).toHaveLength(1);
    expect(outcomes.filter(isRefusal).map(({ code }) => code)).toEqual(
      Array.from({ length: 4 }, () => 'state_conflict'),
    );
  });

  it('does not exist where the key does not', async () => {
    expect(await rotate('key_000000000000')).toMatchObject({ refused: true, code: 'key_not_found' });
  });
});
