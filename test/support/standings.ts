import { NO_FRAMEWORKS } from '../../libs/access/index.js';
import type { Vendor } from '../../libs/catalogue/index.js';
import type { PurposeStanding, Standing } from '../../libs/consent-strings/standing/standing.js';
import { ruleAt } from '../../libs/policy/index.js';

/** When what stands here is looked at. */
export const STANDS_AT = '2026-11-20T12:00:00.000Z';

/** Somebody in Germany who chose something, at a site without purposes and vendors. */
export const standing = (more: Partial<Standing> = {}): Standing => ({
  subjectId: 'sub_1',
  at: STANDS_AT,
  purposes: [],
  ownPurposes: [],
  vendors: [],
  decided: { TCF: new Map(), GOOGLE: new Map() },
  hasChosen: true,
  dated: ruleAt({ country: 'DE', region: null }, STANDS_AT),
  gpc: { active: false, binds: false },
  lastChangedAt: STANDS_AT,
  settings: NO_FRAMEWORKS,
  publisherCountry: 'DE',
  locale: 'en',
  waitForUpdateMs: null,
  ...more,
});

/** A purpose that nobody has chosen anything about. `tcf`, `google`: what it stands for. */
export const purposeStanding = (
  key: string,
  {
    tcf = [],
    specialFeatures = [],
    google = [],
    us = [],
    ...more
  }: Partial<Omit<PurposeStanding, 'frameworks'>> & {
    tcf?: number[];
    specialFeatures?: number[];
    google?: PurposeStanding['frameworks']['google'];
    us?: PurposeStanding['frameworks']['us'];
  } = {},
): PurposeStanding => ({
  key,
  legalBasis: 'CONSENT',
  consentModel: 'OPT_IN',
  category: 'MARKETING',
  gpc: false,
  frameworks: { tcf: { purposes: tcf, specialFeatures }, google, us },
  state: 'NOT_COLLECTED',
  effective: 'BLOCKED',
  reason: 'NEVER_ASKED',
  byDefault: 'BLOCKED',
  ...more,
});

/** What is true of a purpose that was granted, and that nothing blocks. */
export const GRANTED = { state: 'GRANTED', effective: 'ALLOWED', reason: 'EXPLICIT' } as const;

export const vendorNamed = (
  key: string,
  {
    tcf = null,
    google = null,
    ...more
  }: Partial<Omit<Vendor, 'frameworks'>> & { tcf?: number | null; google?: number | null },
): Vendor => ({
  key,
  name: key,
  country: null,
  privacyPolicy: null,
  purposeKeys: [],
  frameworks: { tcf, google },
  ...more,
});
