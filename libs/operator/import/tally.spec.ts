import { expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { DistinctCount, Tally } from './tally.js';

it('counts different digests exactly up to 100,000, and nearly so beyond', () => {
  const count = new DistinctCount();
  const add = (from: number, to: number): void => {
    for (let i = from; i < to; i++) count.add(createHash('sha256').update(String(i)).digest().readUIntBE(0, 6));
  };
  add(0, 100_000);
  add(50_000, 100_000);
  expect(count.count).toBe(100_000);
  add(100_000, 200_000);
  expect(Math.abs(count.count - 200_000)).toBeLessThan(400);
});

it('holds no more names than a report can show, and counts the others together', () => {
  const tally = new Tally();
  for (let i = 0; i < 1_000; i++) {
    tally.record(
      { kind: 'consent', subject: 's', body: {}, bytes: 1, about: `p${i}`, decision: 'GRANTED' },
      { status: 'RECORDED' },
    );
    tally.rejectedRow([{ code: `c${i}`, message: 'm' }], String(i));
  }
  expect([tally.purposes.length, tally.reasons.length, tally.sum('recorded')]).toEqual([201, 201, 1_000]);
  expect(tally.reasons[0]).toMatchObject({ code: 'others', rows: 800 });
});
