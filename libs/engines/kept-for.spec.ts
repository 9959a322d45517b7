import { jest } from '@jest/globals';
import { keptFor } from './kept-for.js';

/** The making that is under way, to be ended by hand. */
interface Making {
  end: (text: string) => void;
  fail: (error: Error) => void;
}

let makings: Making[];
let now: number;
const kept = (ms: number): (() => Promise<string>) =>
  keptFor(ms, () => new Promise<string>((end, fail) => makings.push({ end, fail })));

beforeEach(() => {
  [makings, now] = [[], 1_000];
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => jest.restoreAllMocks());

it('one making is under way at most, however many ask and however long it takes', async () => {
  const ask = kept(1_000);
  const asked = [ask(), ask()];
  now += 60_000;
  asked.push(ask());
  expect(makings).toHaveLength(1);
  makings[0]!.end('first');
  expect(await Promise.all(asked)).toEqual(['first', 'first', 'first']);
});

it('what was made is the answer until it is too old, counted from when it was there', async () => {
  const ask = kept(1_000);
  const first = ask();
  now += 5_000;
  makings[0]!.end('first');
  await first;
  now += 999;
  expect(await ask()).toBe('first');
  now += 1;
  const second = ask();
  expect(makings).toHaveLength(2);
  makings[1]!.end('second');
  expect(await second).toBe('second');
});

it('with no time to keep it, only what is under way is shared', async () => {
  const ask = kept(0);
  const shared = [ask(), ask()];
  makings[0]!.end('first');
  await Promise.all(shared);
  const second = ask();
  expect(makings).toHaveLength(2);
  makings[1]!.end('second');
  expect(await second).toBe('second');
});

it('a failure is the answer of those who waited for it, and is not kept', async () => {
  const ask = kept(1_000);
  const failed = Promise.allSettled([ask(), ask()]);
  makings[0]!.fail(new Error('away'));
  expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const again = ask();
  makings[1]!.end('back');
  expect(await again).toBe('back');
});
