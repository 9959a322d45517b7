import { idBytes } from './id-bytes.js';

describe('bytes of ids', () => {
  it('are never handed out twice, across many refills', () => {
    const seen = new Set(Array.from({ length: 5_000 }, () => Buffer.from(idBytes(10)).toString('hex')));
    expect(seen.size).toBe(5_000);
  });

  it('do not change once they were handed out', () => {
    const first = idBytes(12);
    const copy = Buffer.from(first).toString('hex');
    for (let i = 0; i < 1_000; i++) idBytes(12);
    expect(Buffer.from(first).toString('hex')).toBe(copy);
  });
});
