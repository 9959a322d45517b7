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
  consent: { 1: 'sha256:870ef3a16e04c21f3c3bb3013343be63d8670969ba0d84cbcd686a8b5ed4f850' },
  preferences: { 1: 'sha256:80fd2929b552cf6411b187ec7e493d43e32caa8faf6846dedec175c8fc61e068' },
  purposes: { 1: 'sha256:a27c249fef22e7a645aa26c81cdfebb325509f009334fc8caaedfc75f43ada36' },
  template: { 1: 'sha256:8ad6befcf674022057562684d88f190d6cea57a3d2076292efb3b7b511fbddbf' },
  cookies: {
    1: 'sha256:57f9cff95c3d34a674601e73a9d9e813098e4bde819a1d520eec6ac97a34a1dd',
    2: 'sha256:31010ca3ca5c2d99cda576caa9dbb704106afec42c04eb1f1ac946ecc95e7f72',
  },
  banner: { 1: 'sha256:932af68ce61512e2f0d0542ccaa7801fb208164cc73a8d7cf333d0e60ffda211' },
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
