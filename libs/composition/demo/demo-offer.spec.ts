import { mintKey } from '../../access/callers/api-key.js';
import { mayOffer } from './demo-offer.js';

const bytes = (n: number): Uint8Array => new Uint8Array(n).fill(7);
const DEMO = { publicKey: mintKey('pk', 'test', bytes).text, secretKey: mintKey('sk', 'test', bytes).text };
const HERE = { host: '127.0.0.1', publicUrl: 'http://127.0.0.1:4100', nodeEnv: undefined };

describe('the keys of the demo are offered', () => {
  it('by a process that only its own machine reaches', () => expect(mayOffer(DEMO, HERE)).toBe(true));

  it.each([
    ['in production', DEMO, { ...HERE, nodeEnv: 'production' }],
    ['where other machines reach the process', DEMO, { ...HERE, host: '0.0.0.0' }],
    ['where people come through a proxy', DEMO, { ...HERE, publicUrl: 'https://consent.example.com' }],
    ['where one is of live', { ...DEMO, secretKey: mintKey('sk', 'live', bytes).text }, HERE],
    ['where one is no key', { ...DEMO, publicKey: 'pk_test_nonsense' }, HERE],
  ])('never %s', (_, demo, from) => expect(mayOffer(demo, from)).toBe(false));
});
