import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CONSENT_MODELS } from '../../libs/catalogue/index.js';
import { circumstancesOf, turningPointsOf, whereaboutsOf, type Asked } from '../../libs/consent/circumstances.js';
import { DECISIONS, METHODS, type ConsentRecordedData } from '../../libs/consent/events.js';
import { explanation } from '../../libs/consent/explanation.js';
import { consentFold, type ConsentState, type FoldedByConsent } from '../../libs/consent/state.js';
import { purposeView, type PurposeInForce } from '../../libs/consent/view.js';
import { COUNTRY_CODES, fold, PURPOSE_CATEGORIES, type Instant } from '../../libs/kernel/index.js';
import { GPC_STANDINGS, POLICY_MODELS, type OwnRules } from '../../libs/policy/index.js';
import { PLACES } from '../../libs/policy/places.js';

/* What may be done, over random worlds: any history, purpose, place, signal and moment. */

const KEYS = ['a', 'b'];
const instant = (from: string, to: string): fc.Arbitrary<Instant> =>
  fc.date({ min: new Date(from), max: new Date(to), noInvalidDate: true }).map((date) => date.toISOString());
/** Laws begin before, during and after. */
const moment = instant('2022-12-30T00:00:00Z', '2028-01-03T00:00:00Z');
const codes = [...PLACES.keys(), ...COUNTRY_CODES, 'UK', 'EU', 'US-ZZ'];
const code = fc.constantFrom(...codes);
const whereabouts = (place: string) => ({ country: place.slice(0, 2), region: place.includes('-') ? place : null });

const record = fc
  .record({
    purpose: fc.constantFrom(...KEYS),
    decision: fc.constantFrom(...DECISIONS),
    purposeVersion: fc.integer({ min: 1, max: 3 }),
    givenAt: moment,
    lastsMs: fc.option(fc.integer({ min: 1, max: 400 * 86_400_000 })),
    method: fc.option(fc.constantFrom(...METHODS)),
    gpc: fc.option(fc.boolean()),
    place: fc.option(code),
    source: fc.constantFrom('API', 'IMPORT', 'MIGRATION'),
  })
  .map(({ lastsMs, method, gpc, place, ...rest }): FoldedByConsent => {
    const data = {
      ...rest,
      recordId: 'rec_00000000000000000000000001',
      recordedAt: rest.givenAt,
      expiresAt: lastsMs === null ? null : new Date(Date.parse(rest.givenAt) + lastsMs).toISOString(),
      ...(method && { collection: { method, surface: 'BANNER' } }),
      ...(gpc !== null && { signals: { gpc } }),
      ...(place && {
        jurisdiction: { country: place.slice(0, 2), ...(place.includes('-') && { region: place }), source: 'DETECTED' },
      }),
    };
    return { type: 'ConsentRecorded', data: data as ConsentRecordedData };
  });
const state = fc.array(record, { maxLength: 6 }).map((events): ConsentState => fold(consentFold, events));
const purpose = fc.record({
  key: fc.constantFrom(...KEYS),
  version: fc.constant(3),
  legalBasis: fc.constantFrom('CONSENT', 'LEGITIMATE_INTERESTS'),
  consentModel: fc.constantFrom(...CONSENT_MODELS),
  category: fc.constantFrom(...PURPOSE_CATEGORIES),
  gpc: fc.boolean(),
  lastMaterialVersion: fc.integer({ min: 1, max: 3 }),
  vendorsAskMoreSince: fc.constantFrom(null, '2026-01-01T00:00:00.000Z', '2026-12-01T00:00:00.000Z'),
});
const asked: fc.Arbitrary<Asked> = fc.record({
  place: fc.option(
    fc.tuple(code, fc.constantFrom('REQUEST', 'PROXY')).map(([place, by]) => ({ ...whereabouts(place), by })),
  ),
  gpcOnRequest: fc.boolean(),
});
/** Every version of what a site made of the law. */
const ownRules: fc.Arbitrary<OwnRules[]> = fc.array(
  fc.record({
    effectiveFrom: moment,
    definition: fc.record({
      policies: fc.array(
        fc
          .tuple(code, fc.constantFrom(...POLICY_MODELS), fc.constantFrom(...GPC_STANDINGS), fc.option(moment))
          .map(([place, model, gpc, effectiveFrom]) => ({
            country: place.slice(0, 2),
            ...(place.includes('-') && { region: place }),
            changes: { model, signals: { gpc } },
            who: 'Board',
            why: 'Decided.',
            ...(effectiveFrom && { effectiveFrom }),
          })),
        { maxLength: 3 },
      ),
    }),
  }),
  { maxLength: 3 },
);
const world = fc.record({ state, purpose, asked, at: moment, ownRules });

const shown = (of: PurposeInForce, known: ConsentState, at: Instant, by: Asked) =>
  purposeView(of, known, circumstancesOf(at, by, known));

describe('what may be done', () => {
  it('is what the last line of its explanation says, which names the rule unless none matters', () => {
    fc.assert(
      fc.property(world, ({ state: known, purpose: of, asked: by, at, ownRules: own }) => {
        const circumstances = circumstancesOf(at, by, known, null, own);
        const { effective, effectiveReason } = purposeView(of, known, circumstances);
        const explained = explanation(of, known, circumstances);
        expect([explained.effective, explained.reason]).toEqual([effective, effectiveReason]);
        expect(explained.because.at(-1)).toEqual({ step: 'RESULT', text: `${effective} (${effectiveReason}).` });
        const rules = explained.because.filter(({ text }) => text.includes(`Rule ${circumstances.dated.id}, `));
        expect(rules).toHaveLength(of.consentModel === 'ALWAYS_ON' ? 0 : 1);
      }),
    );
  });

  it('is never allowed against a refusal, and never without a grant where the model is OPT_IN', () => {
    fc.assert(
      fc.property(world, ({ state: known, purpose: of, asked: by, at }) => {
        const view = shown(of, known, at, by);
        if (of.consentModel === 'ALWAYS_ON') return expect(view.effectiveReason).toBe('LEGAL_BASIS');
        if (['DENIED', 'WITHDRAWN', 'OBJECTED'].includes(view.state))
          expect([view.effective, view.effectiveReason]).toEqual(['BLOCKED', 'EXPLICIT']);
        if (of.consentModel === 'OPT_IN' && view.effective === 'ALLOWED')
          expect(['GRANTED', 'ACKNOWLEDGED']).toContain(view.state);
      }),
    );
  });

  it('is never more with a signal than without it', () => {
    fc.assert(
      fc.property(world, ({ state: known, purpose: of, asked: by, at }) => {
        const effective = (gpcOnRequest: boolean) => shown(of, known, at, { ...by, gpcOnRequest }).effective;
        if (effective(true) === 'ALLOWED') expect(effective(false)).toBe('ALLOWED');
      }),
    );
  });

  it('is never more where no place is known than at any place', () => {
    fc.assert(
      fc.property(world, code, ({ state: known, purpose: of, asked: by, at }, place) => {
        const { place: _, ...placeless } = known;
        const nowhere = shown(of, placeless, at, { ...by, place: null });
        const somewhere = shown(of, placeless, at, { ...by, place: { ...whereabouts(place), by: 'REQUEST' } });
        if (nowhere.effective === 'ALLOWED') expect(somewhere.effective).toBe('ALLOWED');
      }),
    );
  });

  it('is that of the newest record that names a place, where the request names none', () => {
    fc.assert(
      fc.property(fc.array(record, { maxLength: 6 }), purpose, moment, (events, of, at) => {
        const known = fold(consentFold, events);
        const placed = events.flatMap(({ data }) => {
          const { jurisdiction, givenAt } = data as ConsentRecordedData;
          return jurisdiction ? [{ ...jurisdiction, givenAt }] : [];
        });
        const newest = placed.reduce<(typeof placed)[number] | null>(
          (a, b) => (a !== null && a.givenAt > b.givenAt ? a : b),
          null,
        );
        const country = newest && (newest.country === 'UK' ? 'GB' : newest.country === 'EU' ? null : newest.country);
        const place = { country, region: country === null ? null : (newest?.region ?? null), by: 'REQUEST' as const };
        const by = { place: null, gpcOnRequest: false };
        expect(shown(of, known, at, by)).toEqual(shown(of, known, at, { ...by, place }));
      }),
    );
  });

  it('changes by the clock at turning points only, also where the country of the subject is sealed', () => {
    fc.assert(
      fc.property(world, moment, fc.option(code), ({ state: known, purpose: of, at }, other, own) => {
        const ownCountry = own === null ? null : own.slice(0, 2);
        const subject = { ...known, ...(ownCountry !== null && { ownCountry: 'sealed' }) };
        const points = turningPointsOf(subject);
        const passed = (when: Instant) => points.filter((point) => point <= when).length;
        const seen = (when: Instant) =>
          purposeView(of, subject, circumstancesOf(when, { place: null, gpcOnRequest: false }, subject, ownCountry));
        if (passed(at) === passed(other)) expect(seen(at)).toEqual(seen(other));
      }),
    );
  });

  it('is that of the own country of the subject where neither request nor record names a place', () => {
    fc.assert(
      fc.property(world, code, ({ state: known, purpose: of, asked: by, at }, own) => {
        const country = own.slice(0, 2);
        const placed = circumstancesOf(at, by, known, country);
        const home = { country: whereaboutsOf({ country }).country, region: null, by: 'REQUEST' as const };
        const place = by.place ?? (known.place ? null : home);
        expect(purposeView(of, known, placed)).toEqual(shown(of, known, at, { ...by, place }));
      }),
    );
  });
});
