import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { epochMs, instantOf, plusMs } from '../kernel/index.js';
import { dueAt, isBusinessDay, plusBusinessDays, plusDays, plusMonths, type BusinessCalendar } from './due-date.js';
import { localDateAt } from './local-date.js';
import { PLACES } from './places.js';
import { WEEKENDS, weekendOf } from './weekends.js';
import type { Period, PeriodUnit } from './rule.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const calendarOf = (zone: string, weekend = [0, 6], holidays: string[] = []): BusinessCalendar => ({
  zone,
  weekend,
  holidays: new Set(holidays),
});
const BERLIN = calendarOf('Europe/Berlin');
const period = (dueDays: number, unit: PeriodUnit, extensionDays: number | null = null): Period => ({
  dueDays,
  unit,
  extensionDays,
});
const MONTH = period(1, 'MONTHS', 2);

describe('months', () => {
  it.each([
    ['2027-01-31', 1, '2027-02-28'],
    ['2028-01-31', 1, '2028-02-29'],
    ['2027-01-31', 3, '2027-04-30'],
    ['2026-11-30', 3, '2027-02-28'],
    ['2026-12-15', 1, '2027-01-15'],
    ['2028-02-29', 12, '2029-02-28'],
  ])('of the calendar: %s and %i is %s', (from, months, to) => expect(plusMonths(from, months)).toBe(to));
});

describe('business days', () => {
  it.each([
    ['over a weekend', '2026-11-20', 1, BERLIN, '2026-11-23'],
    ['from a Sunday', '2026-11-22', 1, BERLIN, '2026-11-23'],
    ['where Friday and Saturday are free', '2026-11-19', 1, calendarOf('Asia/Riyadh', [5, 6]), '2026-11-22'],
    ['over a holiday', '2026-12-24', 1, calendarOf('Europe/Berlin', [0, 6], ['2026-12-25']), '2026-12-28'],
    ['three weeks', '2026-11-20', 15, BERLIN, '2026-12-11'],
  ])('%s', (_, from, days, calendar, to) => expect(plusBusinessDays(from, days, calendar)).toBe(to));

  it('are refused where there are none', () =>
    expect(() => plusBusinessDays('2026-11-20', 1, calendarOf('UTC', [0, 1, 2, 3, 4, 5, 6]))).toThrow(RangeError));

  it('follow the weekend that Unicode knows of each place', () => {
    for (const code of PLACES.keys()) {
      const locale = new Intl.Locale(`und-${code.slice(0, 2)}`) as Intl.Locale & {
        weekInfo?: { weekend: number[] };
        getWeekInfo?: () => { weekend: number[] };
      };
      const { weekend } = locale.getWeekInfo?.() ?? locale.weekInfo!;
      expect([code, new Set(weekendOf(code))]).toEqual([code, new Set(weekend.map((day) => day % 7))]);
    }
    expect(Object.keys(WEEKENDS).length).toBeGreaterThan(0);
  });
});

describe('the moment at which a request is overdue', () => {
  it.each([
    ['the end of the day a month later', '2027-01-31T10:00:00.000Z', MONTH, '2027-02-28T23:00:00.000Z'],
    ['in summer time where it began in winter', '2027-03-10T10:00:00.000Z', MONTH, '2027-04-10T22:00:00.000Z'],
    ['counted from the day that it is at the place', '2027-01-30T23:30:00.000Z', MONTH, '2027-02-28T23:00:00.000Z'],
    ['after calendar days', '2026-11-20T10:00:00.000Z', period(30, 'CALENDAR_DAYS'), '2026-12-20T23:00:00.000Z'],
    ['after business days', '2026-11-20T10:00:00.000Z', period(1, 'BUSINESS_DAYS'), '2026-11-23T23:00:00.000Z'],
    ['to the minute', '2027-03-27T10:15:00.000Z', period(3, 'PERIODS_OF_24_HOURS'), '2027-03-30T10:15:00.000Z'],
  ])('%s', (_, received, given, due) => expect(dueAt(received, given, BERLIN)).toBe(due));

  it('is later where it is extended', () =>
    expect(dueAt('2027-01-31T10:00:00.000Z', MONTH, BERLIN, { extended: true })).toBe('2027-04-30T22:00:00.000Z'));

  it('is none where the law sets no period, and while the clock stands still', () => {
    expect(dueAt('2027-01-31T10:00:00.000Z', { ...MONTH, dueDays: null }, BERLIN)).toBeNull();
    const pauses = [{ from: '2027-02-01T10:00:00.000Z', to: null }];
    expect(dueAt('2027-01-31T10:00:00.000Z', MONTH, BERLIN, { pauses })).toBeNull();
  });

  it('gives back the days in which the clock stood still, once, and none after its end', () => {
    const received = '2027-01-11T10:00:00.000Z';
    const stood = { from: '2027-01-12T10:00:00.000Z', to: '2027-01-17T09:00:00.000Z' };
    const inside = { from: '2027-01-13T10:00:00.000Z', to: '2027-01-15T09:00:00.000Z' };
    const late = { from: '2027-06-01T10:00:00.000Z', to: '2027-06-02T10:00:00.000Z' };
    const due = dueAt(received, MONTH, BERLIN, { pauses: [stood] });
    expect(due).toBe('2027-02-16T23:00:00.000Z');
    expect(dueAt(received, MONTH, BERLIN, { pauses: [late, inside, stood] })).toBe(due);
    // From Tuesday to Sunday: three business days.
    expect(dueAt(received, period(5, 'BUSINESS_DAYS'), BERLIN, { pauses: [stood] })).toBe('2027-01-21T23:00:00.000Z');
    expect(dueAt(received, period(1, 'PERIODS_OF_24_HOURS'), BERLIN, { pauses: [late] })).toBe(
      plusMs(received, DAY_MS),
    );
  });
});

describe('over ten years, at every place', () => {
  const ZONES = [...new Set([...PLACES.values()].map(({ zone }) => zone))];
  const FIRST = Date.parse('2024-01-01T00:00:00Z');
  const moments = fc.integer({ min: 0, max: 10 * 366 * 24 * 60 }).map((minutes) => instantOf(FIRST + minutes * 60_000));
  const calendars = fc.record({
    zone: fc.constantFrom(...ZONES),
    weekend: fc.constantFrom([0, 6], [5, 6]),
    holidays: fc.constant(new Set<string>()),
  });
  const periods = fc.record({
    dueDays: fc.integer({ min: 1, max: 90 }),
    unit: fc.constantFrom<PeriodUnit>('MONTHS', 'CALENDAR_DAYS', 'BUSINESS_DAYS'),
    extensionDays: fc.constantFrom(null, 2, 45),
  });
  const pausesWithin = (received: string) =>
    fc.array(
      fc.tuple(fc.integer({ min: 0, max: 40 * 24 }), fc.integer({ min: 0, max: 20 * 24 })).map(([after, hours]) => {
        const from = plusMs(received, after * HOUR_MS);
        return { from, to: plusMs(from, hours * HOUR_MS) };
      }),
      { maxLength: 3 },
    );

  it('a due moment is the first of a day at the place, and the last day is one of those that count', () => {
    fc.assert(
      fc.property(moments, calendars, periods, (received, calendar, given) => {
        const due = dueAt(received, given, calendar)!;
        const lastDay = localDateAt(plusMs(due, -1), calendar.zone);
        expect(localDateAt(due, calendar.zone)).toBe(plusDays(lastDay, 1));
        if (given.unit === 'BUSINESS_DAYS') expect(isBusinessDay(lastDay, calendar)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('months end on the same day, or on the last one of a shorter month', () => {
    fc.assert(
      fc.property(moments, fc.integer({ min: 1, max: 12 }), (received, months) => {
        const from = received.slice(0, 10);
        const to = plusMonths(from, months);
        const isLast = plusDays(to, 1).endsWith('-01');
        expect(to.slice(8) === from.slice(8) || (isLast && to.slice(8) < from.slice(8))).toBe(true);
        const passed =
          (Number(to.slice(0, 4)) - Number(from.slice(0, 4))) * 12 + Number(to.slice(5, 7)) - Number(from.slice(5, 7));
        expect(passed).toBe(months);
      }),
      { numRuns: 2_000 },
    );
  });

  it('a request that came later, was extended or stood still is never due earlier', () => {
    fc.assert(
      fc.property(
        moments.chain((received) => fc.tuple(fc.constant(received), pausesWithin(received))),
        calendars,
        periods,
        fc.integer({ min: 0, max: 72 }),
        ([received, pauses], calendar, given, hours) => {
          const due = epochMs(dueAt(received, given, calendar)!);
          expect(epochMs(dueAt(plusMs(received, hours * HOUR_MS), given, calendar)!)).toBeGreaterThanOrEqual(due);
          expect(epochMs(dueAt(received, given, calendar, { extended: true })!)).toBeGreaterThanOrEqual(due);
          expect(epochMs(dueAt(received, given, calendar, { pauses })!)).toBeGreaterThanOrEqual(due);
        },
      ),
      { numRuns: 500 },
    );
  });
});
