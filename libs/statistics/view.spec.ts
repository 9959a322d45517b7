import type { ByDay, ByValue, Counted, Counts, PurposeCounts } from './view.js';
import { COUNTED, lastDay, PERIODS_MAX, rangeOf, statisticsView, wholeRange, type Asked } from './view.js';

const NOTHING: Counts = { byDay: new Map(), byValue: new Map(), byDayAndValue: new Map() };
const oneOf = (given: Partial<Record<Counted, Record<string, number>>>): PurposeCounts =>
  Object.fromEntries(
    COUNTED.map((what) => [
      what,
      given[what] ? { ...NOTHING, byDay: new Map(Object.entries(given[what])) as ByDay } : NOTHING,
    ]),
  ) as Record<Counted, Counts>;
const countsOf = (given: Partial<Record<Counted, Record<string, number>>>): Map<string, PurposeCounts> =>
  new Map([['analytics', oneOf(given)]]);
const asked = (by: Asked['by'], from: string, to: string, country: string | null = null): Asked => ({
  purposes: ['analytics'],
  split: country === null ? null : 'country',
  value: country,
  imported: 'without',
  by,
  range: { from, to },
});

describe('the last day that has counts', () => {
  it('is in live one that has been over for an hour', () => {
    expect(lastDay('live', '2026-11-22T01:00:00.000Z')).toBe('2026-11-21');
    expect(lastDay('live', '2026-11-22T00:59:59.999Z')).toBe('2026-11-20');
  });
  it('is in test the one that is running', () =>
    expect(lastDay('test', '2026-11-22T00:00:00.000Z')).toBe('2026-11-22'));
});

describe('the days that a question means', () => {
  it('are the last thirty, twelve weeks or twelve months', () => {
    expect(rangeOf('day', undefined, undefined, '2026-11-21')).toEqual({ from: '2026-10-23', to: '2026-11-21' });
    expect(rangeOf('week', undefined, undefined, '2026-11-21')).toEqual({ from: '2026-08-31', to: '2026-11-21' });
    expect(rangeOf('month', undefined, '2026-10-05', '2026-11-21')).toEqual({ from: '2025-11-01', to: '2026-10-05' });
    expect(rangeOf('day', '2026-11-01', undefined, '2026-11-21')).toEqual({ from: '2026-11-01', to: '2026-11-21' });
  });
  it('are whole periods', () =>
    expect(wholeRange('month', { from: '2026-02-10', to: '2026-11-21' })).toEqual({
      from: '2026-02-01',
      to: '2026-11-30',
    }));
});

describe('statistics', () => {
  it('say what is shown, and what follows from it', () => {
    const counts = countsOf({
      grants: { '2026-11-20': 20 },
      refusals: { '2026-11-20': 10 },
      withdrawals: { '2026-11-20': 9 },
      shown: { '2026-11-20': 100 },
    });
    expect(statisticsView(asked('day', '2026-11-19', '2026-11-20'), counts, '2026-11-21', 'live')).toEqual({
      object: 'consent_statistics',
      purpose: 'analytics',
      purposes: ['analytics'],
      country: null,
      split: null,
      imported: 'without',
      by: 'day',
      through: '2026-11-21',
      smallest: 10,
      periods: [
        {
          from: '2026-11-19',
          to: '2026-11-19',
          grants: 0,
          refusals: 0,
          withdrawals: 0,
          expiries: 0,
          grantShare: null,
          shown: 0,
          unanswered: 0,
          suppressed: [],
        },
        {
          from: '2026-11-20',
          to: '2026-11-20',
          grants: 20,
          refusals: 10,
          withdrawals: null,
          expiries: 0,
          grantShare: 0.6667,
          shown: 100,
          unanswered: 70,
          suppressed: ['withdrawals'],
        },
      ],
      series: [],
    });
  });

  it.each([
    ['refusals', { refusals: { '2026-11-20': 3 }, grants: { '2026-11-20': 20 }, shown: { '2026-11-20': 90 } }],
    ['grants', { refusals: { '2026-11-20': 30 }, grants: { '2026-11-20': 2 }, shown: { '2026-11-20': 90 } }],
  ])('give no share and no difference where %s are hidden', (hidden, given) => {
    const { periods } = statisticsView(asked('day', '2026-11-20', '2026-11-20'), countsOf(given), '2026-11-21', 'live');
    expect(periods).toMatchObject([{ grantShare: null, unanswered: null, shown: 90, suppressed: [hidden] }]);
  });

  it('take no more answers than there were banners', () => {
    const given = (shown: number) =>
      statisticsView(
        asked('day', '2026-11-20', '2026-11-20'),
        countsOf({ grants: { '2026-11-20': 20 }, shown: { '2026-11-20': shown } }),
        '2026-11-21',
        'live',
      ).periods;
    expect(given(12)).toMatchObject([{ unanswered: 0, suppressed: [] }]);
    expect(given(5)).toMatchObject([{ unanswered: null, grantShare: 1, suppressed: ['shown'] }]);
  });

  it('tell in live of periods that are over, in test of the running one too', () => {
    const months = (env: 'live' | 'test') =>
      statisticsView(asked('month', '2026-10-15', '2026-12-15'), countsOf({}), '2026-11-21', env).periods.map(
        ({ from }) => from,
      );
    expect(months('live')).toEqual(['2026-10-01']);
    expect(months('test')).toEqual(['2026-10-01', '2026-11-01']);
    const days = statisticsView(asked('day', '2020-01-01', '2026-11-01'), countsOf({}), '2026-11-21', 'live');
    expect(days.periods).toHaveLength(PERIODS_MAX);
  });

  const october = (day: number, values: Record<string, number>): Counts => ({
    byDay: new Map([['2026-10-10', day]]),
    byValue: new Map([['2026-10-01', new Map(Object.entries(values)) as ReadonlyMap<string, number>]]) as ByValue,
    byDayAndValue: new Map(),
  });

  it('tell of a country by month', () => {
    const counts = new Map([['analytics', { ...oneOf({}), grants: october(53, { DE: 40, '': 13 }) }]]);
    const of = (country: string) =>
      statisticsView(asked('month', '2026-09-01', '2026-10-31', country), counts, '2026-11-21', 'live').periods.map(
        (period) => period.grants,
      );
    expect([of('DE'), of('FR')]).toEqual([
      [0, 40],
      [0, 0],
    ]);
  });

  it('tell each value of a split apart, those that are hidden with a word', () => {
    const grants = october(60, { BANNER: 40, FORM: 15, APP: 5 });
    const question: Asked = { ...asked('month', '2026-10-01', '2026-10-31'), split: 'surface' };
    const counts = { ...oneOf({}), grants, expiries: null, shown: null };
    const { split, periods, series } = statisticsView(question, new Map([['analytics', counts]]), '2026-11-21', 'live');
    expect([split, periods]).toMatchObject(['surface', [{ grants: 60, expiries: null, suppressed: [] }]]);
    expect(series.map(({ purpose, value, periods: [own] }) => [purpose, value, own!.grants, own!.suppressed])).toEqual([
      [null, 'APP', null, ['grants']],
      [null, 'BANNER', 40, []],
      // Else what is left of the whole would be of APP.
      [null, 'FORM', null, ['grants']],
    ]);
  });

  it('add up of several purposes what is shown of each', () => {
    const day = '2026-11-20';
    const counts = new Map([
      ['ads', oneOf({ grants: { [day]: 30 }, refusals: { [day]: 10 }, shown: { [day]: 50 } })],
      ['news', oneOf({ grants: { [day]: 20 }, refusals: { [day]: 3 }, shown: { [day]: 50 } })],
      ['rare', oneOf({ grants: { [day]: 2 }, refusals: { [day]: 4 } })],
    ]);
    const question = { ...asked('day', day, day), purposes: ['ads', 'news', 'rare'] };
    const { purpose, purposes, periods, series } = statisticsView(question, counts, '2026-11-21', 'live');
    expect([purpose, purposes]).toEqual([null, ['ads', 'news', 'rare']]);
    expect(periods).toMatchObject([
      { grants: 50, refusals: 10, grantShare: 0.75, shown: 100, unanswered: 10, suppressed: ['grants', 'refusals'] },
    ]);
    expect(series.map((each) => [each.purpose, each.periods[0]!.grants, each.periods[0]!.refusals])).toEqual([
      ['ads', 30, 10],
      ['news', 20, null],
      ['rare', null, null],
    ]);
  });
});
