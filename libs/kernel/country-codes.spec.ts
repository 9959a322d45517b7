import { describe, expect, it } from '@jest/globals';
import { COUNTRY_CODES, countryOf, regionOf } from './index.js';

describe('the code of a country', () => {
  it('that is assigned stands for itself, and that of Kosovo too', () => {
    for (const code of [...COUNTRY_CODES, 'XK']) expect(countryOf(code)).toBe(code);
  });

  it.each([
    ['UK', 'GB'],
    ['EL', 'GR'],
    ['IC', 'ES'],
    ['FX', 'FR'],
    ['DD', 'DE'],
    ['TP', 'TL'],
  ])('that is used beside the assigned ones stands for one of them: %s', (code, country) => {
    expect(countryOf(code)).toBe(country);
    expect(regionOf(`${code}-AB1`)).toBe(`${country}-AB1`);
  });

  it.each(['EU', 'EZ', 'UN', 'SU', 'YU', 'CS', 'AN', 'XX', 'ZZ', 'T1', 'QQ', 'de', '', 'constructor'])(
    'that is of several or of none stands for nothing: %j',
    (code) => {
      expect(countryOf(code)).toBeNull();
      expect(regionOf(`${code}-AB`)).toBeNull();
    },
  );
});
