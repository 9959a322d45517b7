import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { dateIn, formatFault } from './dates.js';
import { isZone } from './zones.js';

const at = (text: string, formats: string[], zone: string | null = null): unknown => dateIn(text, { formats, zone });
const fault = (part: string): unknown => ({ fault: expect.stringContaining(part) });

describe('dates', () => {
  it.each<[string, string[], string | null, string]>([
    ['2024-05-01T10:00:00Z', ['iso'], null, '2024-05-01T10:00:00.000Z'],
    ['2024-05-01T10:00:00.123456+02:00', ['iso'], null, '2024-05-01T08:00:00.123Z'],
    ['2024-05-01 10:00:00.5+00', ['iso'], null, '2024-05-01T10:00:00.500Z'],
    ['2024-05-01 10:00:00 UTC', ['iso'], null, '2024-05-01T10:00:00.000Z'],
    ['2024-05-01', ['iso'], 'Europe/Berlin', '2024-04-30T22:00:00.000Z'],
    ['2024-05-01 10:00', ['iso'], 'America/New_York', '2024-05-01T14:00:00.000Z'],
    ['1714557600', ['unix'], null, '2024-05-01T10:00:00.000Z'],
    ['1714557600123', ['unix', 'unix-ms'], null, '2024-05-01T10:00:00.123Z'],
    ['01.05.2024 10:00:00', ['dd.MM.yyyy HH:mm:ss'], 'Europe/Berlin', '2024-05-01T08:00:00.000Z'],
    ['5/1/2024 3:04:05 PM', ['M/d/yyyy h:mm:ss a'], 'UTC', '2024-05-01T15:04:05.000Z'],
    ['5/1/2024 12:00 AM', ['M/d/yyyy h:mm a'], 'UTC', '2024-05-01T00:00:00.000Z'],
    ['01 May 2024', ['iso', 'dd MMM yyyy'], 'UTC', '2024-05-01T00:00:00.000Z'],
    ['2024/05/01 10:00:00.25 +0200', ['yyyy/MM/dd HH:mm:ss.SSS XXX'], null, '2024-05-01T08:00:00.250Z'],
    // Clocks were put back: the first of the two.
    ['2024-10-27 02:30:00', ['iso'], 'Europe/Berlin', '2024-10-27T00:30:00.000Z'],
    ['2024-10-27 03:30:00', ['iso'], 'Europe/Berlin', '2024-10-27T02:30:00.000Z'],
  ])('%s as %j in %s is %s', (text, formats, zone, expected) => expect(at(text, formats, zone)).toBe(expected));

  it.each<[string, string[], string | null, string]>([
    ['2024-05-01 10:00:00', ['iso'], null, 'names no zone'],
    ['2024-02-30T10:00:00Z', ['iso'], null, 'is no date of the form iso'],
    ['31.04.2024', ['dd.MM.yyyy'], 'UTC', 'is no date of the form dd.MM.yyyy'],
    ['13:00 PM', ['yyyy-MM-dd'], 'UTC', 'is no date'],
    ['9998-12-31 23:59:59', ['iso'], 'America/New_York', 'before 1970 or after 9998'],
    ['1714557600123', ['unix'], null, 'is no date of the form unix'],
    // Clocks were put forward over it.
    ['2024-03-31 02:30:00', ['iso'], 'Europe/Berlin', 'does not exist in Europe/Berlin'],
    [`1${'0'.repeat(200)}`, ['iso'], null, '…'],
  ])('%s as %j in %s is refused', (text, formats, zone, expected) =>
    expect(at(text, formats, zone)).toEqual(fault(expected)),
  );

  it('of every zone come back as they were written', () => {
    const zones = fc.constantFrom('Europe/Berlin', 'America/Sao_Paulo', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'UTC');
    fc.assert(
      fc.property(fc.integer({ min: 200_000, max: 2_000_000_000 }), zones, (seconds, zone) => {
        const wall = new Date(seconds * 1000).toLocaleString('sv', { timeZone: zone });
        const found = at(wall, ['iso'], zone);
        expect(new Date(found as string).toLocaleString('sv', { timeZone: zone })).toBe(wall);
      }),
    );
  });

  it('have formats that say a whole day, and zones that exist', () => {
    expect(['iso', 'unix', 'dd.MM.yyyy', 'M/d/yyyy h:mm a'].map(formatFault)).toEqual([null, null, null, null]);
    expect(['HH:mm', 'dd.MM.', 'dd.MM.yyyy hh:mm'].map(formatFault)).not.toContain(null);
    expect([isZone('Europe/Berlin'), isZone('Mars/Olympus')]).toEqual([true, false]);
  });
});
