import { describe, expect, it } from '@jest/globals';
import { BANNER_VIEW_VERSION } from '../../libs/catalogue/banner/view.js';
import { COOKIES_VIEW_VERSION } from '../../libs/catalogue/cookies/view.js';
import { PURPOSE_VIEW_VERSION } from '../../libs/catalogue/view.js';
import { TEMPLATE_VIEW_VERSION } from '../../libs/catalogue/template/template-view.js';
import { CONSENT_VIEW_VERSION } from '../../libs/consent/index.js';
import { hashOf } from '../../libs/kernel/index.js';
import { PREFERENCES_VIEW_VERSION } from '../../libs/preferences/view.js';
import {
  bannerAnswers,
  consentAnswers,
  cookieAnswers,
  preferenceAnswers,
  purposeAnswers,
  templateAnswers,
} from '../support/view-corpus.js';

/**
 * An ETag holds the version of the view, so that after an upgrade nobody is told "not modified" of an answer that has
 * changed. Where a hash here differs, a view answers its corpus differently: raise the version beside the view and add
 * the new hash under it. A hash that stands here is never edited, unless the corpus itself was changed and not the view.
 */
const ANSWERED: Record<string, Record<number, string>> = {
  consent: {
    1: 'sha256:af3bbf383b8937a6efb1ad252679384f35ae14e4d637ede126b421ca7b49091c',
    // Where Global Privacy Control binds is said by the policy data, which the corpus does not ask.
    2: 'sha256:af3bbf383b8937a6efb1ad252679384f35ae14e4d637ede126b421ca7b49091c',
    // The place decides; the corpus asks for more categories and places since then.
    3: 'sha256:ca208dbc896f1e10726137fd62f0c8467c94baa9f8722c7f9730ebd828b374b6',
    // The own country of a subject decides where nothing else names a place; the corpus asks for it since then.
    4: 'sha256:870ef3a16e04c21f3c3bb3013343be63d8670969ba0d84cbcd686a8b5ed4f850',
    // What a site has made of the law decides, which the corpus does not ask.
    5: 'sha256:870ef3a16e04c21f3c3bb3013343be63d8670969ba0d84cbcd686a8b5ed4f850',
    // Vendors that ask for more are a reason to ask again, which the corpus does not know.
    6: 'sha256:870ef3a16e04c21f3c3bb3013343be63d8670969ba0d84cbcd686a8b5ed4f850',
  },
  preferences: { 1: 'sha256:80fd2929b552cf6411b187ec7e493d43e32caa8faf6846dedec175c8fc61e068' },
  purposes: { 1: 'sha256:a27c249fef22e7a645aa26c81cdfebb325509f009334fc8caaedfc75f43ada36' },
  template: { 1: 'sha256:8ad6befcf674022057562684d88f190d6cea57a3d2076292efb3b7b511fbddbf' },
  cookies: { 1: 'sha256:57f9cff95c3d34a674601e73a9d9e813098e4bde819a1d520eec6ac97a34a1dd' },
  banner: {
    1: 'sha256:beceafa793ad158a8dd1d9f596a5ffc1d2b5d9617186379688478817eca69098',
    // The content hash is that of what the banner itself shows; the answer states it besides, signed.
    2: 'sha256:5ac698e6aa6b6aa4849455aa9469c69e745a3af013ecb2eaba46090748795d0d',
    // It names the vendors that people are told of, and its Google defaults follow TCF where no purpose names a type.
    3: 'sha256:01b5bc8373aafd16d8a159f0492219f4b461d69312a847a2faf52d6fc212bbc0',
    // It says of the site what strings of frameworks say: the consent tool, the approach of GPP, the MSPA.
    4: 'sha256:932af68ce61512e2f0d0542ccaa7801fb208164cc73a8d7cf333d0e60ffda211',
  },
};

describe('the version of each view', () => {
  it.each<[string, number, () => Iterable<unknown>]>([
    ['consent', CONSENT_VIEW_VERSION, consentAnswers],
    ['preferences', PREFERENCES_VIEW_VERSION, preferenceAnswers],
    ['purposes', PURPOSE_VIEW_VERSION, purposeAnswers],
    ['template', TEMPLATE_VIEW_VERSION, templateAnswers],
    ['cookies', COOKIES_VIEW_VERSION, cookieAnswers],
    ['banner', BANNER_VIEW_VERSION, bannerAnswers],
  ])('stands for what it answers: %s', (view, version, answers) => {
    expect({ view, version, answers: hashOf([...answers()]) }).toEqual({
      view,
      version,
      answers: ANSWERED[view]![version],
    });
  });

  it('is tried over a corpus that reaches every outcome', () => {
    const consent = JSON.stringify([...consentAnswers()]);
    for (const outcome of [
      'EXPLICIT',
      'POLICY_DEFAULT',
      'SIGNAL_GPC',
      'LEGAL_BASIS',
      'EXPIRED',
      'RENEWAL_REQUIRED',
      'NEVER_ASKED',
    ])
      expect(consent).toContain(`"effectiveReason":"${outcome}"`);
    const preferences = JSON.stringify([...preferenceAnswers()]);
    for (const blockedBy of ['GLOBAL_OPT_OUT', 'DENIED', 'PENDING', 'EXPIRED', 'UNSET'])
      expect(preferences).toContain(`"blockedBy":"${blockedBy}"`);
    expect(JSON.stringify([...purposeAnswers()])).toMatch(/"DRAFT".*"PUBLISHED".*"RETIRED"/s);
    expect(new Set([...templateAnswers()].map((answer) => JSON.stringify(answer))).size).toBeGreaterThan(2);
    expect(new Set([...cookieAnswers()].map((answer) => JSON.stringify(answer))).size).toBeGreaterThan(4);
    const banners = JSON.stringify([...bannerAnswers()]);
    for (const presentation of ['OPT_IN', 'OPT_OUT', 'NOTICE_ONLY', 'NONE'])
      expect(banners).toContain(`"presentation":"${presentation}"`);
    for (const shown of ['"RTL"', '"granted"', '"denied"']) expect(banners).toContain(shown);
  });
});
