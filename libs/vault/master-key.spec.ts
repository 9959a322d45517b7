import { createHmac, hkdfSync } from 'node:crypto';
import fc from 'fast-check';
import { MasterKey } from './master-key.js';

const BYTES = Buffer.alloc(32, 9);
const derived = (use: string): Buffer => Buffer.from(hkdfSync('sha256', BYTES, '', `assent/${use}/v1`, 32));

it('digests are HMAC-SHA-256 of any text, however long, under a key for each use', () => {
  const master = new MasterKey(BYTES);
  const mac = (use: string, text: string): string => createHmac('sha256', derived(use)).update(text).digest('hex');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.constantFrom(1, 30, 500), (part, times) => {
      const text = part.repeat(times);
      expect(master.requestDigest(text)).toBe(mac('requests', text));
      expect(master.identifierDigest('shop', 'live', text).toString('hex')).toBe(
        mac('identifiers', `shop\u001flive\u001f${text}`),
      );
    }),
  );
  for (const length of [2729, 2730, 2731]) {
    const text = '\ud800€'.repeat(length).slice(0, length);
    expect(master.requestDigest(text)).toBe(mac('requests', text));
  }
});
