import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { GRANTED, purposeStanding, standing, vendorNamed } from '../../../test/support/standings.js';
import type { ConsentStateName } from '../../consent/index.js';
import type { PurposeStanding, Standing } from '../standing/standing.js';
import type { GlobalVendorList } from '../vendor-list/gvl.js';
import { SYNTHETIC_LISTS } from '../vendor-list/synthetic-list.js';
import { OWN_PURPOSES_MAX } from './purposes.js';
import { tcChoices, type TcChoices } from './tc-choices.js';

/**
 * Of it 8 asks consent for 1, 3 and 4; 28 bases 2 and 7 to 11 on interest; 42 has special purposes only, for which there
 * is no bit; 333 is deleted.
 */
const LIST: GlobalVendorList = SYNTHETIC_LISTS[0]!;
const VENDORS = [8, 28, 42, 333].map((id) => vendorNamed(`v${id}`, { tcf: id }));

const choices = (purposes: PurposeStanding[], more: Partial<Standing> = {}): TcChoices =>
  tcChoices(standing({ purposes, vendors: VENDORS, ...more }), LIST);
const INTEREST = { legalBasis: 'LEGITIMATE_INTERESTS', consentModel: 'OPT_OUT' } as const;
const ALLOWED_STATES = (reason: PurposeStanding['reason']) => ({ effective: 'ALLOWED', reason }) as const;

describe('consent to a purpose of TCF', () => {
  it('is there where every purpose that is mapped to it was granted', () => {
    const ads = purposeStanding('ads', { tcf: [1, 3], ...GRANTED });
    expect(choices([ads]).consents).toEqual([1, 3]);
    expect(choices([ads, purposeStanding('more_ads', { tcf: [3, 4] })]).consents).toEqual([1]);
    expect(choices([]).consents).toEqual([]);
  });

  it.each<[string, Partial<PurposeStanding>]>([
    ['was refused', { state: 'DENIED', reason: 'EXPLICIT' }],
    ['was withdrawn', { state: 'WITHDRAWN', reason: 'EXPLICIT' }],
    ['has ended', { state: 'EXPIRED', reason: 'EXPIRED' }],
    ['waits for confirmation', { state: 'PENDING' }],
    ['was never asked', {}],
    ['was granted, and is blocked by Global Privacy Control', { state: 'GRANTED', reason: 'SIGNAL_GPC' }],
    ['was granted, and asks again', { state: 'GRANTED', reason: 'RENEWAL_REQUIRED' }],
    ['was never chosen, though it is allowed here', ALLOWED_STATES('POLICY_DEFAULT')],
    ['is only shown in a notice', { state: 'ACKNOWLEDGED', ...ALLOWED_STATES('EXPLICIT') }],
    ['stands on another legal basis', { ...GRANTED, legalBasis: 'CONTRACT' }],
    ['stands on legitimate interest', { ...GRANTED, ...INTEREST }],
  ])('is not there for a purpose that %s', (_, more) =>
    expect(choices([purposeStanding('ads', { tcf: [1, 2], specialFeatures: [], ...more })]).consents).toEqual([]),
  );
});

describe('legitimate interest', () => {
  const informed = { ...INTEREST, effective: 'ALLOWED', reason: 'EXPLICIT' } as const;

  it('is there if the person was informed and did not object, never for purposes for which TCF demands consent', () => {
    const tcf = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
    for (const state of ['ACKNOWLEDGED', 'GRANTED'] as const) {
      const { legitimateInterests, consents } = choices([purposeStanding('figures', { tcf, ...informed, state })]);
      expect([legitimateInterests, consents]).toEqual([[2, 7, 8, 9, 10, 11], []]);
    }
  });

  it.each<[ConsentStateName, 'ALLOWED' | 'BLOCKED']>([
    ['NOT_COLLECTED', 'ALLOWED'],
    ['OBJECTED', 'BLOCKED'],
    ['DENIED', 'BLOCKED'],
    ['WITHDRAWN', 'BLOCKED'],
    ['ACKNOWLEDGED', 'BLOCKED'],
    ['GRANTED', 'BLOCKED'],
  ])('is not there for what is %s and %s', (state, effective) =>
    expect(
      choices([purposeStanding('figures', { tcf: [7], ...informed, state, effective })]).legitimateInterests,
    ).toEqual([]),
  );
});

it('special features are there by grant alone, of every purpose that stands for one', () => {
  const place = purposeStanding('place', { specialFeatures: [1], ...GRANTED });
  expect(choices([place]).specialFeatures).toEqual([1]);
  expect(choices([place, purposeStanding('scan', { specialFeatures: [1, 2] })]).specialFeatures).toEqual([]);
  const acknowledged = { ...INTEREST, state: 'ACKNOWLEDGED', effective: 'ALLOWED' } as const;
  expect(choices([purposeStanding('place', { specialFeatures: [2], ...acknowledged })]).specialFeatures).toEqual([]);
  expect(choices([purposeStanding('place', { specialFeatures: [12], ...GRANTED })]).specialFeatures).toEqual([12]);
});

describe('a vendor', () => {
  const ads = purposeStanding('ads', { tcf: [4], ...GRANTED });
  const figures = purposeStanding('figures', { tcf: [7], ...INTEREST, ...GRANTED, state: 'ACKNOWLEDGED' });

  it('has consent by one of the purposes that it asks consent for, and interest by one that it bases on it', () => {
    expect(choices([ads])).toMatchObject({ vendorConsents: [8], vendorLegitimateInterests: [] });
    expect(choices([figures])).toMatchObject({ vendorConsents: [], vendorLegitimateInterests: [28] });
    // 7 by consent is nothing to 28, which bases it on interest; 1 by interest is nothing to 8.
    expect(choices([{ ...ads, frameworks: figures.frameworks }])).toMatchObject({
      vendorConsents: [],
      vendorLegitimateInterests: [],
    });
  });

  it('that was refused, or whose grant has ended, has neither, but was disclosed', () => {
    for (const said of ['DENIED', 'EXPIRED'] as const) {
      const TCF = new Map([8, 28, 42].map((id) => [id, said] as const)) as Standing['decided']['TCF'];
      const { vendorConsents, vendorLegitimateInterests, vendorsDisclosed } = choices([ads, figures], {
        decided: { TCF, GOOGLE: new Map() },
      });
      expect([vendorConsents, vendorLegitimateInterests, vendorsDisclosed]).toEqual([[], [], [8, 28, 42]]);
    }
  });

  it('that was granted has no more than the purposes come to', () => {
    const TCF = new Map([[8, 'GRANTED' as const]]);
    const decided = { TCF, GOOGLE: new Map([[8, 'DENIED' as const]]) };
    expect(choices([], { decided }).vendorConsents).toEqual([]);
    // What was said of Google's 8 is about another.
    expect(choices([ads], { decided }).vendorConsents).toEqual([8]);
  });

  it('is not named if the subject chose nothing, nor once it is deleted', () => {
    const { vendorsDisclosed, vendorLegitimateInterests } = choices([ads], { hasChosen: false });
    expect([vendorsDisclosed, vendorLegitimateInterests]).toEqual([[], []]);
    expect(choices([ads]).vendorsDisclosed).toEqual([8, 28, 42]);
    const before = choices([ads], { at: '2026-05-31T23:59:59.999Z' });
    expect([before.vendorsDisclosed, before.vendorConsents]).toEqual([
      [8, 28, 42, 333],
      [8, 333],
    ]);
  });

  it('that may not do something does not get consent for it, and the string says so', () => {
    const restrictions = [{ purpose: 4, type: 'NOT_ALLOWED' as const }];
    const vendors = [vendorNamed('v8', { tcf: 8, restrictions })];
    expect(choices([ads], { vendors })).toMatchObject({
      vendorConsents: [],
      vendorsDisclosed: [8],
      restrictions: [{ purpose: 4, type: 'NOT_ALLOWED', vendorId: 8 }],
    });
  });
});

describe('the purposes of the publisher', () => {
  it('are numbered by their places, and a place without a purpose stays empty', () => {
    const own = { ownPurposes: ['gone', 'news', 'shop'] };
    const purposes = [
      purposeStanding('news', GRANTED),
      purposeStanding('shop', { ...INTEREST, ...GRANTED, state: 'ACKNOWLEDGED' }),
    ];
    expect(choices(purposes, own)).toMatchObject({ own: 3, ownConsents: [2], ownLegitimateInterests: [3] });
  });

  it('are as many as a string has room for', () => {
    const ownPurposes = Array.from({ length: OWN_PURPOSES_MAX + 2 }, (_, n) => `own_${n}`);
    const { own, ownConsents } = choices(
      ownPurposes.map((key) => purposeStanding(key, GRANTED)),
      { ownPurposes },
    );
    expect([own, ownConsents.length, ownConsents.at(-1)]).toEqual([63, 63, 63]);
  });
});

it('refusing one thing more never sets a bit', () => {
  const state = fc.constantFrom<ConsentStateName>('GRANTED', 'DENIED', 'ACKNOWLEDGED', 'NOT_COLLECTED');
  const purpose = fc.record({
    tcf: fc.subarray([1, 2, 3, 4, 7, 10], { maxLength: 3 }),
    specialFeatures: fc.subarray([1, 2]),
    legalBasis: fc.constantFrom('CONSENT' as const, 'LEGITIMATE_INTERESTS' as const),
    state,
    effective: fc.constantFrom('ALLOWED' as const, 'BLOCKED' as const),
  });
  const vendors = Object.values(LIST.vendors).map(({ id }) => vendorNamed(`v${id}`, { tcf: id }));
  fc.assert(
    fc.property(fc.array(purpose, { minLength: 1, maxLength: 5 }), fc.nat(), (drawn, which) => {
      const purposes = drawn.map((more, n) => purposeStanding(`p${n}`, more));
      const ownPurposes = purposes.map(({ key }) => key);
      const less = purposes.map((each, n): PurposeStanding =>
        n === which % purposes.length ? { ...each, state: 'DENIED', effective: 'BLOCKED' } : each,
      );
      const [before, after] = [choices(purposes, { vendors, ownPurposes }), choices(less, { vendors, ownPurposes })];
      for (const bits of [
        'consents',
        'legitimateInterests',
        'specialFeatures',
        'vendorConsents',
        'vendorLegitimateInterests',
        'ownConsents',
        'ownLegitimateInterests',
      ] as const)
        expect(before[bits]).toEqual(expect.arrayContaining([...after[bits]]));
      expect(after.vendorsDisclosed).toEqual(before.vendorsDisclosed);
    }),
  );
});
