import { describe, expect, it } from '@jest/globals';
import { Refused, type Refusal } from '../kernel/index.js';
import { edgePlace, placeNamed, readPlace } from './asked.js';

describe('a place that a request names', () => {
  it.each([
    [{ country: 'DE' }, { country: 'DE' }],
    [{ country: 'UK' }, { country: 'GB' }],
    [{ country: 'EL' }, { country: 'GR' }],
    [{ country: 'XK' }, { country: 'XK' }],
    [
      { country: 'UK', region: 'GB-SCT' },
      { country: 'GB', region: 'GB-SCT' },
    ],
    [
      { country: 'GB', region: 'UK-SCT' },
      { country: 'GB', region: 'GB-SCT' },
    ],
    [
      { country: 'US', region: 'US-CA', source: 'DETECTED' },
      { country: 'US', region: 'US-CA', source: 'DETECTED' },
    ],
  ])('is read by the codes that are known here: %j', (sent, read) => expect(readPlace(sent, 'place.')).toEqual(read));

  it('is refused with both ways out where region and country are of two', () => {
    const refusal = readPlace({ country: 'CA', region: 'US-QC' }, 'jurisdiction.') as Refusal;
    expect(refusal.hint).toBe('Send a region of CA, such as region=CA-QC, or the country of the region: country=US.');
    expect(refusal.issues).toEqual([{ path: 'jurisdiction.region', message: '"US-QC" is no region of CA' }]);
  });
});

describe('the place that a query names', () => {
  it.each([
    ['a country', 'DE', undefined, { country: 'DE', region: null }],
    ['a region with its country', 'US', 'US-CA', { country: 'US', region: 'US-CA' }],
    ['a region alone, which has its country in its code', undefined, 'US-CA', { country: 'US', region: 'US-CA' }],
    ['another code of a country', undefined, 'UK-ENG', { country: 'GB', region: 'GB-ENG' }],
    ['nothing', undefined, undefined, null],
  ])('is that of %s', (_, country, region, place) => expect(placeNamed(country, region)).toEqual(place));

  it.each([['a region of another country', 'CA', 'US-CA', 'region']])(
    'is refused of %s',
    (_, country, region, path) => {
      try {
        placeNamed(country, region);
        throw new Error('it was taken');
      } catch (error) {
        expect(error).toBeInstanceOf(Refused);
        expect((error as Refused).refusal).toMatchObject({ code: 'validation_failed', issues: [{ path }] });
      }
    },
  );
});

describe('where the proxy saw the visitor', () => {
  const names = { country: 'cf-ipcountry', region: 'cf-region-code' };

  it.each([
    ['country and region', { 'cf-ipcountry': 'US', 'cf-region-code': 'CA' }, 'US', 'US-CA'],
    ['a region with its country', { 'cf-ipcountry': 'us', 'cf-region-code': ' us-ca ' }, 'US', 'US-CA'],
    ['another code of the country', { 'cf-ipcountry': 'UK', 'cf-region-code': 'SCT' }, 'GB', 'GB-SCT'],
    [
      'another code of the country in the region too',
      { 'cf-ipcountry': 'GB', 'cf-region-code': 'UK-SCT' },
      'GB',
      'GB-SCT',
    ],
    ['the same in two lines', { 'cf-ipcountry': 'DE, DE' }, 'DE', null],
    ['two countries, of which one is a lie', { 'cf-ipcountry': 'DE, US' }, null, null],
    ['a region of another country', { 'cf-ipcountry': 'DE', 'cf-region-code': 'US-CA' }, 'DE', null],
    ['the country alone', { 'cf-ipcountry': 'DE' }, 'DE', null],
    ['nothing', {}, null, null],
    ['that it does not know', { 'cf-ipcountry': 'XX' }, null, null],
    ['Tor', { 'cf-ipcountry': 'T1' }, null, null],
    ['a union', { 'cf-ipcountry': 'EU' }, null, null],
    ['a region without a country', { 'cf-region-code': 'CA' }, null, null],
  ])('%s', (_, headers, country, region) => expect(edgePlace(headers, names)).toEqual({ country, region }));

  it('is not read from headers that the operator did not set up', () =>
    expect(edgePlace({ 'cf-ipcountry': 'US' }, { country: null, region: null })).toEqual({
      country: null,
      region: null,
    }));
});
