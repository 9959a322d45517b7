import { describe, expect, it } from '@jest/globals';
import { edgePlace } from './asked.js';
import { policyRefusals } from './refusals.js';

describe('a code that is none', () => {
  it.each([
    ['UK', 'Send country=GB.', '"UK" is no assigned code of ISO 3166-1; did you mean "GB"?'],
    ['EL', 'Send country=GR.', '"EL" is no assigned code of ISO 3166-1; did you mean "GR"?'],
    ['DD', 'Send country=DE.', '"DD" is no assigned code of ISO 3166-1; did you mean "DE"?'],
  ])('is refused with the right one: %s', (code, hint, message) =>
    expect(policyRefusals.countryUnknown(code)).toMatchObject({
      code: 'validation_failed',
      hint,
      issues: [{ path: 'country', message }],
    }),
  );

  it('is refused with the way out where no single one is right', () => {
    expect(policyRefusals.countryUnknown('EU').hint).toContain('country=DE or country=FR');
    for (const code of ['XK', 'AN', 'QQ'])
      expect(policyRefusals.countryUnknown(code).hint).toBe(
        'Send an assigned code of ISO 3166-1, or none: then the strictest rule is answered.',
      );
  });

  it('is refused with both ways out where region and country are of two', () => {
    const refusal = policyRefusals.regionElsewhere('CA', 'US-QC');
    expect(refusal.hint).toBe('Send a region of CA, such as region=CA-QC, or the country of the region: country=US.');
    expect(refusal.issues).toEqual([{ path: 'region', message: '"US-QC" is no region of CA' }]);
  });
});

describe('where the proxy saw the visitor', () => {
  const names = { country: 'cf-ipcountry', region: 'cf-region-code' };

  it.each([
    ['country and region', { 'cf-ipcountry': 'US', 'cf-region-code': 'CA' }, 'US', 'US-CA'],
    ['a region with its country', { 'cf-ipcountry': 'us', 'cf-region-code': ' us-ca ' }, 'US', 'US-CA'],
    ['the country alone', { 'cf-ipcountry': 'DE' }, 'DE', null],
    ['nothing', {}, null, null],
    ['that it does not know', { 'cf-ipcountry': 'XX' }, null, null],
    ['Tor', { 'cf-ipcountry': 'T1' }, null, null],
    ['a union', { 'cf-ipcountry': 'EU' }, null, null],
    ['a region without a country', { 'cf-region-code': 'CA' }, null, null],
  ])('%s', (_, headers, country, region) => expect(edgePlace(headers, names)).toEqual({ country, region }));

  it('is not asked of headers that nobody set up', () =>
    expect(edgePlace({ 'cf-ipcountry': 'US' }, { country: null, region: null })).toEqual({
      country: null,
      region: null,
    }));
});
