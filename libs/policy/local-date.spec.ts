import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { instantOf, plusMs } from '../kernel/index.js';
import { localDateAt, startOfDay } from './local-date.js';
import { PLACES } from './places.js';

/** Every zone of the data, and those whose clocks do what others do not. */
const ZONES = [
  ...new Set([...PLACES.values()].map(({ zone }) => zone)),
  'America/Havana',
  'Asia/Beirut',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
];
const DAY_MS = 86_400_000;
const FIRST = Date.parse('2024-01-01T00:00:00Z');
/** Ten years, leap days among them. */
const days = fc.integer({ min: 0, max: 3_660 }).map((count) => instantOf(FIRST + count * DAY_MS).slice(0, 10));

describe('the first moment of a day', () => {
  it.each([
    ['in winter', '2027-01-01', 'America/Chicago', '2027-01-01T06:00:00.000Z'],
    ['in summer', '2018-05-25', 'Europe/Berlin', '2018-05-24T22:00:00.000Z'],
    ['east of Greenwich', '2026-01-01', 'Asia/Ho_Chi_Minh', '2025-12-31T17:00:00.000Z'],
    ['of half an hour', '2027-05-14', 'Asia/Kolkata', '2027-05-13T18:30:00.000Z'],
    ['on the day on which clocks go forward', '2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
    ['on the day on which clocks go back', '2026-10-25', 'Europe/Berlin', '2026-10-24T22:00:00.000Z'],
    ['where clocks skip midnight', '2026-04-24', 'Africa/Cairo', '2026-04-23T22:00:00.000Z'],
    ['where clocks skip midnight, west of Greenwich', '2023-09-03', 'America/Santiago', '2023-09-03T04:00:00.000Z'],
    ['where clocks show midnight twice', '2025-11-02', 'America/Havana', '2025-11-02T04:00:00.000Z'],
    ['of a leap day', '2028-02-29', 'Pacific/Auckland', '2028-02-28T11:00:00.000Z'],
  ])('%s', (_, date, zone, start) => expect(startOfDay(date, zone)).toBe(start));

  it('is of that day, and the moment before it of the day before', () => {
    fc.assert(
      fc.property(days, fc.constantFrom(...ZONES), (date, zone) => {
        const start = startOfDay(date, zone);
        expect(localDateAt(start, zone)).toBe(date);
        const before = localDateAt(plusMs(start, -1), zone);
        expect(plusMs(`${before}T00:00:00.000Z`, DAY_MS).slice(0, 10)).toBe(date);
      }),
      { numRuns: 1_000 },
    );
  });

  it('throws where the zone is none', () =>
    expect(() => startOfDay('2026-01-01', 'Europe/Atlantis')).toThrow(RangeError));
});
