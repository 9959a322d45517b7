import { setImmediate as nextTurn } from 'node:timers/promises';
import { Turns } from './turns.js';

describe('turns', () => {
  it('let so many run at once, the others in their order', async () => {
    const turns = new Turns(2, 10);
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const all = Promise.all([0, 1, 2, 3].map((n) => turns.take(() => new Promise<void>((resolve) => (begun.push(n), ends.push(resolve))))));
    expect(begun).toEqual([0, 1]);
    ends[1]!();
    await nextTurn();
    expect(begun).toEqual([0, 1, 2]);
    ends[0]!();
    await nextTurn();
    expect(begun).toEqual([0, 1, 2, 3]);
    ends.forEach((end) => end());
    await all;
  });

  it('pass on also where the work fails', async () => {
    const turns = new Turns(1, 10);
    const failing = turns.take(() => Promise.reject(new Error('no')));
    const next = turns.take(() => Promise.resolve('done'));
    await expect(failing).rejects.toThrow('no');
    await expect(next).resolves.toBe('done');
    await expect(turns.take(() => Promise.resolve('again'))).resolves.toBe('again');
  });

  it('refuse whoever would wait behind too many', async () => {
    const turns = new Turns(1, 1);
    const running = [turns.take(() => nextTurn()), turns.take(() => nextTurn())];
    await expect(turns.take(() => nextTurn())).rejects.toThrow(/not available/);
    await Promise.all(running);
  });
});
