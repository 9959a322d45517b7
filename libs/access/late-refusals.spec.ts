import { LATE_MS, LateRefusals } from './late-refusals.js';

const refusal = new Error('refused');

/** Pauses that end when they are told to. */
function pauses() {
  const open: (() => void)[] = [];
  return {
    pause: (ms: number) => (expect(ms).toBe(LATE_MS), new Promise<void>((resolve) => open.push(resolve))),
    end: () => open.shift()!(),
    get open() {
      return open.length;
    },
  };
}

/** Whether it was refused by now. */
function watched(answer: Promise<never>): () => Promise<boolean> {
  let isRefused = false;
  answer.catch((error: unknown) => (isRefused = error === refusal));
  return async () => {
    await new Promise(setImmediate);
    return isRefused;
  };
}

test('a refusal is answered after the pause, and not before', async () => {
  const held = pauses();
  const isRefused = watched(new LateRefusals(held.pause).refuse(refusal));
  expect(await isRefused()).toBe(false);
  held.end();
  expect(await isRefused()).toBe(true);
});

test('so many are held at a time; more are answered at once, until one of them was', async () => {
  const held = pauses();
  const late = new LateRefusals(held.pause);
  const first = Array.from({ length: 250 }, () => watched(late.refuse(refusal)));
  expect(await watched(late.refuse(refusal))()).toBe(true);
  expect(held.open).toBe(250);
  held.end();
  expect(await first[0]!()).toBe(true);
  const next = watched(late.refuse(refusal));
  expect(await next()).toBe(false);
  for (let n = 0; n < 250; n++) held.end();
  expect(await next()).toBe(true);
});
