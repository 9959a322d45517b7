import { until } from '../../test/support/timing.js';
import { onPulse } from './pulse.js';

const PERIOD_MS = 7;

describe('a pulse', () => {
  it('calls all that have the same period in one turn, until each ends', async () => {
    const calls: string[] = [];
    let turn = 0;
    const called = (name: string) => () => {
      if (calls.length === 0) queueMicrotask(() => (turn += 1));
      calls.push(`${name}${turn}`);
    };
    const endFirst = onPulse(PERIOD_MS, called('a'));
    const endSecond = onPulse(PERIOD_MS, called('b'));
    await until(() => calls.length >= 2);
    expect(calls.slice(0, 2)).toEqual(['a0', 'b0']);
    endFirst();
    endFirst();
    const before = calls.length;
    await until(() => calls.length > before);
    expect(calls.slice(before).every((call) => call.startsWith('b'))).toBe(true);
    endSecond();
  });

  it('begins anew after all have ended', async () => {
    onPulse(PERIOD_MS, () => undefined)();
    let calls = 0;
    const end = onPulse(PERIOD_MS, () => void (calls += 1));
    await until(() => calls > 1);
    end();
  });
});
