import { describe, expect, it } from '@jest/globals';
import type { UsCategory } from '../catalogue/index.js';
import { consentFold, type ConsentState, type Decision } from '../consent/index.js';
import type { PurposeCategory } from '../kernel/index.js';
import { DATA_REQUEST_TYPES, type DataRequestType } from './events.js';
import { endsMessages, refusedPurposes, type KnownPurpose } from './refused-purposes.js';

const AT = '2026-11-21T12:00:00.000Z';
const purpose = (key: string, category: PurposeCategory, more: Partial<KnownPurpose> = {}): KnownPurpose => ({
  key,
  category,
  legalBasis: 'CONSENT',
  consentModel: 'OPT_IN',
  frameworks: { us: [] },
  ...more,
});
const PURPOSES = [
  purpose('stats', 'ANALYTICS'),
  purpose('ads', 'MARKETING'),
  purpose('sale', 'SALE_SHARE', { consentModel: 'OPT_OUT' }),
  purpose('profile', 'PERSONALIZATION', { legalBasis: 'LEGITIMATE_INTERESTS' }),
  purpose('health', 'SENSITIVE'),
  purpose('core', 'SALE_SHARE', { consentModel: 'ALWAYS_ON' }),
];
/** Where these decisions stand. */
function decidedOn(decisions: Record<string, { decision: Decision; expiresAt?: string }>): ConsentState {
  return Object.entries(decisions).reduce((state, [key, { decision, expiresAt = null }], i) => {
    const data = {
      recordId: `rec_${i}`,
      purpose: key,
      purposeVersion: 1,
      decision,
      previousState: 'NOT_COLLECTED' as const,
      state: decision,
      appliedToState: true,
      supersededBy: null,
      source: 'API' as const,
      givenAt: '2026-11-01T00:00:00.000Z',
      recordedAt: '2026-11-01T00:00:00.000Z',
      expiresAt,
      actor: { type: 'SUBJECT' as const },
      notice: { locale: 'en', contentHash: 'sha256:0' },
      provenance: { keyId: 'key' },
    };
    const metadata = { schemaVersion: 1, actor: 'key', recordedAt: AT };
    return consentFold.evolve(state, { type: 'ConsentRecorded', data, revision: i, metadata } as never);
  }, consentFold.initial());
}
const said = (type: DataRequestType, state: ConsentState = decidedOn({})): string[] =>
  refusedPurposes(type, PURPOSES, state, AT).map((each) => `${each.purpose} ${each.decision}`);

describe('what a request comes to on purposes', () => {
  it('is of each opt-out what it is about, and nothing on what needs no choice', () => {
    expect(Object.fromEntries(DATA_REQUEST_TYPES.map((type) => [type, said(type)]))).toEqual({
      ACCESS: [],
      PORTABILITY: [],
      ERASURE: [],
      RECTIFICATION: [],
      RESTRICTION: [],
      OBJECTION: ['sale OBJECTED', 'profile OBJECTED'],
      WITHDRAW_ALL: [],
      OPT_OUT_SALE_SHARE: ['sale OBJECTED'],
      OPT_OUT_TARGETED_ADS: ['ads DENIED', 'sale OBJECTED'],
      OPT_OUT_PROFILING: ['profile OBJECTED'],
      LIMIT_SENSITIVE: ['health DENIED'],
      KNOW_CATEGORIES: [],
      APPEAL: [],
      COMPLAINT: [],
    });
  });

  it.each<[PurposeCategory, UsCategory[], DataRequestType[]]>([
    ['MARKETING', [], ['OPT_OUT_TARGETED_ADS']],
    ['MARKETING', ['SALE'], ['OPT_OUT_SALE_SHARE']],
    ['MARKETING', ['SHARING'], ['OPT_OUT_SALE_SHARE', 'OPT_OUT_TARGETED_ADS']],
    ['ANALYTICS', ['TARGETED_ADVERTISING'], ['OPT_OUT_SALE_SHARE', 'OPT_OUT_TARGETED_ADS']],
    ['ANALYTICS', ['SALE', 'SENSITIVE_HEALTH'], ['OPT_OUT_SALE_SHARE', 'LIMIT_SENSITIVE']],
    ['ANALYTICS', ['ADDITIONAL_PROCESSING'], []],
    ['MARKETING', ['SENSITIVE_GEOLOCATION'], ['OPT_OUT_TARGETED_ADS', 'LIMIT_SENSITIVE']],
    ['SALE_SHARE', [], ['OPT_OUT_SALE_SHARE', 'OPT_OUT_TARGETED_ADS']],
    ['SALE_SHARE', ['SALE'], ['OPT_OUT_SALE_SHARE']],
    ['SENSITIVE', ['SHARING'], ['OPT_OUT_SALE_SHARE', 'OPT_OUT_TARGETED_ADS', 'LIMIT_SENSITIVE']],
    ['PERSONALIZATION', ['SALE'], ['OPT_OUT_SALE_SHARE', 'OPT_OUT_PROFILING']],
  ])('reaches a purpose of category %s that says %j of itself by %j', (category, us, types) => {
    const one = [purpose('one', category, { frameworks: { us } })];
    expect(DATA_REQUEST_TYPES.filter((type) => refusedPurposes(type, one, decidedOn({}), AT).length > 0)).toEqual(
      types,
    );
  });

  it('withdraws what was granted, and leaves what is refused already or ran out', () => {
    const granted = { decision: 'GRANTED' } as const;
    const state = decidedOn({
      stats: granted,
      ads: { ...granted, expiresAt: '2026-11-20T00:00:00.000Z' },
      sale: granted,
      profile: { decision: 'DENIED' },
      health: { decision: 'WITHDRAWN' },
    });
    expect(said('WITHDRAW_ALL', state)).toEqual(['stats WITHDRAWN', 'sale WITHDRAWN']);
    expect(said('OPT_OUT_TARGETED_ADS', state)).toEqual(['ads DENIED', 'sale WITHDRAWN']);
    expect(said('OBJECTION', state)).toEqual(['sale OBJECTED']);
    expect([said('OPT_OUT_PROFILING', state), said('LIMIT_SENSITIVE', state)]).toEqual([[], []]);
    expect(said('OBJECTION', decidedOn({ sale: { decision: 'OBJECTED' } }))).toEqual(['profile OBJECTED']);
  });

  it('ends messages where all is withdrawn or objected to', () =>
    expect(DATA_REQUEST_TYPES.filter(endsMessages)).toEqual(['OBJECTION', 'WITHDRAW_ALL']));
});
