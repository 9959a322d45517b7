import { LogReach, reasonOf, type LogNews } from './log-reach.js';
import { LogUnavailable } from './port.js';

describe('the reach of the log', () => {
  let now: number;
  let news: LogNews[];
  let reach: LogReach;
  beforeEach(() => {
    [now, news] = [0, []];
    reach = new LogReach(
      (change) => news.push(change),
      1_000,
      () => now,
    );
  });
  const away = (why = 'connect ECONNREFUSED 127.0.0.1:2113'): LogUnavailable =>
    new LogUnavailable('the event log cannot be reached', false, { cause: new Error(why) });
  const answers = (): Promise<unknown> => reach.asked(() => Promise.resolve('answered'));
  const fails = (error: Error = away(), takesMs = 0): Promise<unknown> =>
    reach
      .asked(() => {
        now += takesMs;
        return Promise.reject(error);
      })
      .catch((thrown: unknown) => expect(thrown).toBe(error));

  it('is reported once when it is lost, with the reason, and once when it is back', async () => {
    await answers();
    now += 1;
    for (const _ of Array(5)) {
      await fails();
      now += 500;
    }
    expect(news).toEqual([{ is: 'lost', reason: 'connect ECONNREFUSED 127.0.0.1:2113' }]);
    expect([reach.isThere, reach.isAway, reach.losses, reach.failedMsAgo]).toEqual([false, true, 1, 500]);
    await answers();
    await answers();
    expect(news.slice(1)).toEqual([{ is: 'back', afterMs: 2_500 }]);
    expect([reach.isThere, reach.isAway, reach.losses]).toEqual([true, false, 1]);
  });

  it('is waited for where it has not answered since the start, which is no loss', async () => {
    await fails();
    now += 1_000;
    await fails(away('no answer in time'));
    now += 3_000;
    await answers();
    expect(news).toEqual([
      { is: 'awaited', reason: 'no answer in time' },
      { is: 'there', afterMs: 4_000 },
    ]);
    expect(reach.losses).toBe(0);
  });

  it('is lost by one call that took long enough, and not by one of many that fails', async () => {
    await answers();
    await fails();
    await answers();
    now += 5_000;
    await fails();
    expect(news).toEqual([]);
    await fails(away('no answer in time'), 1_900);
    expect(news).toEqual([{ is: 'lost', reason: 'no answer in time' }]);
  });

  it('is not lost by single failures of different days between which nothing was asked', async () => {
    await answers();
    for (let day = 0; day < 3; day++) {
      now += 86_400_000;
      await fails();
    }
    expect(news).toEqual([]);
  });

  it('is not lost by a call that began before the last answer', async () => {
    await answers();
    let giveUp!: (error: Error) => void;
    const hanging = reach.asked(() => new Promise((_, reject) => (giveUp = reject))).catch(() => undefined);
    now += 3_000;
    await answers();
    giveUp(away());
    await hanging;
    expect(news).toEqual([]);
  });

  it('learns nothing from what was refused on this side, nor from other errors', async () => {
    await answers();
    for (const error of [new LogUnavailable('the event log is too busy', false), new RangeError('too large')])
      await fails(error, 9_000);
    expect(news).toEqual([]);
  });
});

describe('the reason', () => {
  it.each([
    ['of the innermost cause', new Error('outside', { cause: new Error('inside') }), 'inside'],
    [
      'by its code where it has no words',
      Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }),
      'ECONNREFUSED',
    ],
    ['by its name where it has nothing else', new TypeError(''), 'TypeError'],
    ['in one line', new Error('14 UNAVAILABLE:\n  no connection'), '14 UNAVAILABLE: no connection'],
  ])('reports %s', (_, error, reason) => {
    expect(reasonOf(error)).toBe(reason);
  });
});
