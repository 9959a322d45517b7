import { MemoryEventLog } from '../../log/adapters/memory.js';
import { Codec } from '../../streams/codec.js';
import { isRefusal } from '../../kernel/index.js';
import { authenticate } from './authenticate.js';
import { SITE_EVENTS } from '../events.js';
import { KeyDirectory } from '../sites/key-directory.js';
import { Sites, type KeyIssued } from '../sites/sites.js';

const codec = new Codec(SITE_EVENTS);
const by = { actor: 'operator', requestId: 'req_1' };
const AT = '2026-11-21T12:00:00.000Z';
const sealer = {
  seal: (_: string, secret: Uint8Array) => Buffer.from(secret).toString('base64url'),
  open: (_: string, sealed: string) => Buffer.from(sealed, 'base64url'),
};

let sites: Sites;
let directory: KeyDirectory;
beforeEach(async () => {
  const log = new MemoryEventLog();
  sites = new Sites(log, codec, sealer, () => AT);
  directory = new KeyDirectory(log, codec);
  directory.start();
  await sites.register('shop', {}, by);
});
afterEach(() => directory.stop());

const publicKey = async (): Promise<KeyIssued> => {
  const issued = await sites.issueKey('shop', { type: 'pk', env: 'test', name: 'pages' }, by);
  if (isRefusal(issued)) throw new Error(issued.message);
  await directory.waitFor(issued.position!, 1000);
  return issued;
};
const answer = (text: string, at = AT) => {
  const found = authenticate(text, directory, () => at);
  return 'refused' in found ? found.refused : found.key.keyId;
};

describe('a public key that was right before', () => {
  it('is refused as soon as it is revoked', async () => {
    const key = await publicKey();
    expect([answer(key.text), answer(key.text)]).toEqual([key.keyId, key.keyId]);
    const revoked = await sites.revokeKey('shop', key.keyId, null, by);
    await directory.waitFor((revoked as { position: bigint }).position, 1000);
    expect(answer(key.text)).toBe('api_key_invalid');
  });

  it('is refused from the moment on at which a rotation ends it', async () => {
    const key = await publicKey();
    expect(answer(key.text)).toBe(key.keyId);
    const rotated = await sites.rotateKey('shop', key.keyId, '1h', null, by);
    await directory.waitFor((rotated as { position: bigint }).position, 1000);
    expect(answer(key.text, '2026-11-21T12:59:59.999Z')).toBe(key.keyId);
    expect(answer(key.text, '2026-11-21T13:00:00.000Z')).toBe('api_key_expired');
  });

  it('comes with the settings of its site as they are now', async () => {
    const key = await publicKey();
    answer(key.text);
    const changed = await sites.register('shop', { linkedVisitors: 'OPEN' }, by);
    await directory.waitFor((changed as { position: bigint }).position, 1000);
    expect(authenticate(key.text, directory, () => AT)).toMatchObject({
      site: { settings: { linkedVisitors: 'OPEN' } },
    });
  });

  it('proves nothing for another text: each character that differs is refused', async () => {
    const key = await publicKey();
    expect(answer(key.text)).toBe(key.keyId);
    for (let i = 0; i < key.text.length; i++) {
      const other = `${key.text.slice(0, i)}${key.text[i] === 'x' ? 'y' : 'x'}${key.text.slice(i + 1)}`;
      expect(answer(other)).toBe('api_key_invalid');
    }
    expect(answer(key.text)).toBe(key.keyId);
  });
});
