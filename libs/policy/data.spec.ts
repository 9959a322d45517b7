import { describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { COUNTRY_CODES } from '../kernel/index.js';
import { PLACES, PLACES_BY_WORLD_REGION } from './places.js';
import { ruleAt } from './look-up.js';
import { policyView } from './view.js';

const places = Object.values(PLACES_BY_WORLD_REGION).flat();
const rules = places.flatMap((place) => place.rules.map((rule) => ({ place, rule })));

/** Debian's list of the codes; not on every machine. */
const ISO_CODES = '/usr/share/iso-codes/json';
const listed = (file: string, part: string): { alpha_2?: string; code?: string; name: string }[] =>
  (JSON.parse(readFileSync(`${ISO_CODES}/${file}`, 'utf8')) as Record<string, never[]>)[part]!;

describe('the data', () => {
  it('name each place once, by an assigned code and with a zone of its own', () => {
    expect(PLACES.size).toBe(places.length);
    for (const { code, zone } of places) {
      expect([code, COUNTRY_CODES.has(code.slice(0, 2)), /^[A-Z]{2}(-[A-Z]{2})?$/.test(code)]).toEqual([
        code,
        true,
        true,
      ]);
      if (code.includes('-')) expect(PLACES.has(code.slice(0, 2))).toBe(true);
      expect(() => new Intl.DateTimeFormat('en', { timeZone: zone })).not.toThrow();
    }
  });

  it('name every jurisdiction of the sources', () => {
    const count = (region: string): number => PLACES_BY_WORLD_REGION[region]!.length;
    expect(Object.fromEntries(Object.keys(PLACES_BY_WORLD_REGION).map((region) => [region, count(region)]))).toEqual({
      // 27 members, 3 of the EEA, and GB, CH, RS, MK, AL, UA, TR, RU.
      Europe: 38,
      // The country and its fifty states.
      'United States': 51,
      Canada: 4,
      'Latin America': 9,
      'Asia and the Pacific': 14,
      'Middle East': 6,
      Africa: 9,
    });
  });

  it('use the codes of ISO 3166 and their names, where their list is installed', () => {
    expect(COUNTRY_CODES.size).toBe(249);
    if (!existsSync(ISO_CODES)) return;
    const assigned = listed('iso_3166-1.json', '3166-1').map(({ alpha_2 }) => alpha_2);
    expect(new Set(assigned)).toEqual(COUNTRY_CODES);
    const regions = new Map(listed('iso_3166-2.json', '3166-2').map(({ code, name }) => [code, name]));
    for (const { code, name } of places.filter((place) => place.code.includes('-')))
      expect([code, regions.get(code)?.normalize('NFD').replace(/\p{M}/gu, '')]).toEqual([code, name]);
  });

  it('give the rules of a place in the order of their days, which exist', () => {
    for (const { code, rules: own } of places) {
      expect([code, own.length > 0]).toEqual([code, true]);
      own.forEach(({ from }, i) => {
        if (from === null) return expect([code, i]).toEqual([code, 0]);
        expect(new Date(`${from}T00:00:00Z`).toISOString().slice(0, 10)).toBe(from);
        expect([code, (own[i - 1]?.from ?? '') < from]).toEqual([code, true]);
      });
    }
  });

  it('say of each act who says so', () => {
    for (const { place, rule } of rules)
      for (const { key, name, source } of rule.regulations)
        expect([place.code, key, name !== '', source.length > 3]).toEqual([place.code, key, true, true]);
  });

  it('name with each doubt a field of the answer', () => {
    const shown = policyView(ruleAt({ country: 'DE', region: null }, '2026-11-21T00:00:00.000Z'), 'DE');
    for (const { place, rule } of rules)
      for (const { field } of rule.doubts)
        expect([place.code, field in shown, field]).toEqual([place.code, true, field]);
  });

  // Rules that the sources mark as confirmed by their author only.
  it.each(
    'CH RS MK AL UA RU UY AR CO PE EC CR MX JP HK TW MY PH IN IL AE QA BH OM NG KE GH EG MA TN SN TZ NZ US-IA'.split(
      ' ',
    ),
  )('carry the doubts of the sources: %s', (code) => {
    expect(PLACES.get(code)!.rules.at(-1)!.doubts).not.toEqual([]);
  });

  it('doubt nothing that the sources are sure of', () => {
    const sure = 'BR TR CL KR CN SG TH ID SA ZA AU CA CA-QC CA-BC US-VA US-CO US-TX US-NV'.split(' ');
    for (const code of sure) expect([code, ...PLACES.get(code)!.rules.flatMap(({ doubts }) => doubts)]).toEqual([code]);
  });

  it('hold exceptions only for requests that the rule names', () => {
    for (const { place, rule } of rules)
      for (const { types } of rule.dataRequests.exceptions)
        expect([place.code, rule.dataRequests.types]).toEqual([place.code, expect.arrayContaining([...types])]);
  });
});
