import { setImmediate as endOfTurn } from 'node:timers/promises';
import { BOUNDS, PacedCalls } from './paced-calls.js';

/** Calls under way, ended by hand, and a clock that is set by hand, in ms. */
function paced(): {
  running: (() => void)[];
  begin: (count: number) => void;
  at: (ms: number) => void;
  calls: PacedCalls;
} {
  let now = 0;
  const calls = new PacedCalls(() => now);
  const running: (() => void)[] = [];
  const call = (): Promise<void> => new Promise((resolve) => running.push(resolve));
  return {
    calls,
    running,
    begin: (count) => Array.from({ length: count }, () => calls.pass(call)),
    at: (ms) => (now = ms),
  };
}

describe('calls that run at once', () => {
  it('are so many at first; a waiting call begins when another ends', async () => {
    const { running, begin } = paced();
    begin(BOUNDS.first + 3);
    expect(running).toHaveLength(BOUNDS.first);
    running[0]!();
    await endOfTurn();
    expect(running.length).toBeGreaterThan(BOUNDS.first);
  });

  it('are half as many after some that were late, and never less than a few', async () => {
    const { running, begin, at } = paced();
    begin(10 * BOUNDS.first);
    for (let second = 1, ended = 0; second <= 10; second++) {
      at(2000 * second);
      for (; ended < running.length; ended++) running[ended]!();
      await endOfTurn();
      expect(running.length - ended).toBe(Math.max(BOUNDS.least, Math.floor(BOUNDS.first / 2 ** second)));
    }
  });

  it('become more where they are prompt, up to a bound', async () => {
    const { running, begin } = paced();
    begin(20_000);
    let ended = 0;
    for (; ended < 15_000; ended++) {
      running[ended]!();
      if (ended % BOUNDS.first === 0) await endOfTurn();
    }
    await endOfTurn();
    expect(running.length - ended).toBe(BOUNDS.most);
  });

  it('go on past one that fails, or has nothing to do any more', async () => {
    const { calls } = paced();
    const done: number[] = [];
    const outcomes = await Promise.allSettled(
      Array.from({ length: 3 * BOUNDS.first }, (_, n) =>
        calls.pass(() => {
          if (n % 3 === 0) return Promise.reject(new Error('fails'));
          if (n % 3 === 1) return undefined;
          done.push(n);
          return Promise.resolve();
        }),
      ),
    );
    expect(done).toHaveLength(BOUNDS.first);
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(BOUNDS.first);
  });
});

describe('several batches on an engine that does 20 calls a second and gives each two', () => {
  const BATCHES = 3;
  const EACH = 200;
  const EVERY_MS = 50;
  const AT_ONCE = 64;
  const SECONDS = (1.5 * BATCHES * EACH * EVERY_MS) / 1000;
  const clock = { now: 0 };

  /**
   * How many of them are whole in half as much time again as they need. Each is begun again when one of its calls was late; to find what was
   * done before takes a call as well.
   */
  async function whole(pass: (call: () => Promise<void>) => Promise<void>): Promise<number> {
    clock.now = 0;
    const line: { since: number; resolve: () => void; reject: (error: Error) => void }[] = [];
    const engine = (): Promise<void> =>
      new Promise((resolve, reject) => void line.push({ since: clock.now, resolve, reject }));
    const once = async (): Promise<boolean> => {
      let [next, failed] = [0, false];
      const worker = async (): Promise<void> => {
        while (next++ < EACH && !failed)
          await pass(engine).catch(() => {
            failed = true;
          });
      };
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
      return !failed;
    };
    let [isOver, count] = [false, 0];
    const batches = Array.from({ length: BATCHES }, async () => {
      while (!isOver)
        if (await once()) {
          if (!isOver) count++;
          return;
        }
    });
    for (; clock.now < SECONDS * 1000; clock.now += EVERY_MS) {
      await endOfTurn();
      const next = line.shift();
      if (next && clock.now - next.since > 2000) next.reject(new Error('too late'));
      else next?.resolve();
    }
    isOver = true;
    for (; line.length > 0; await endOfTurn()) line.shift()!.resolve();
    await Promise.all(batches);
    return count;
  }
  it('come to an end where they are paced', async () => {
    const calls = new PacedCalls(() => clock.now);
    expect(await whole((call) => calls.pass(call))).toBe(BATCHES);
  });

  it('come to none where all run at once', async () => {
    expect(await whole((call) => call())).toBe(0);
  });
});
