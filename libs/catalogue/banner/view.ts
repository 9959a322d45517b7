import { hashOf, type Instant } from '../../kernel/index.js';
import { permissionFor, silenceOn, type PolicyView } from '../../policy/index.js';
import { lookUpLocale } from '../../pages/locale.js';
import { googleConsent, type GoogleConsent } from '../google-consent.js';
import { sectionsFor, type SectionChoice } from '../gpp-sections.js';
import type { PurposeDefinition } from '../purpose-definition.js';
import type { Vendor } from '../vendors/definition.js';
import type { PurposeView } from '../view.js';
import {
  bannerContent,
  bannerContentHash,
  bannerLocales,
  presentationFor,
  type BannerContent,
  type PublishedBanner,
} from './content.js';
import { LABELS } from './definition.js';

/** Part of every ETag of the banner; raised like PURPOSE_VIEW_VERSION. */
export const BANNER_VIEW_VERSION = 1;

type Standing = 'GRANTED' | 'DENIED';

/** A purpose as a banner shows it. */
export type BannerPurpose = Pick<
  PurposeView,
  | 'key'
  | 'version'
  | 'name'
  | 'description'
  | 'category'
  | 'consentModel'
  | 'legalBasis'
  | 'gpc'
  | 'locale'
  | 'contentHash'
> & {
  /** What holds here until the visitor chooses. */
  default: Standing;
  /** Whether the visitor has no choice. */
  locked: boolean;
};

/** The banner for one place in one language. */
export interface BannerView extends BannerContent {
  object: 'banner';
  availableLocales: readonly string[];
  direction: 'LTR' | 'RTL';
  policy: PolicyView;
  purposes: readonly BannerPurpose[];
  google: { default: GoogleConsent; waitForUpdateMs: number };
  tcf: {
    enabled: boolean;
    publisherCountry: string | null;
    /** Ids in the Global Vendor List of the disclosed vendors, in ascending order. */
    vendors: readonly number[];
    /** The consent tool that TC strings name; null if no string can be made. */
    cmpId: number | null;
    cmpVersion: number | null;
    /** Always true: since the policies of TCF forbid global scope, no string holds on other sites. */
    isServiceSpecific: true;
  };
  gpp: {
    enabled: boolean;
    /** Sections of the GPP string at this place, ascending. */
    sections: readonly number[];
    approach: SectionChoice['approach'];
    mspa: Mspa;
  };
  /**
   * Hash of what the banner itself shows in this language: texts, buttons, links, looks. Purposes and policy have their
   * own.
   */
  contentHash: string;
  effectiveFrom: Instant | null;
  publishedAt: Instant | null;
}

/** The Multi-State Privacy Agreement of IAB: whether the site acts under it, and in which of its modes. */
interface Mspa {
  covered: boolean;
  mode: 'OPT_OUT' | 'SERVICE_PROVIDER' | null;
}

/** A site's settings of framework strings. */
export interface FrameworksOfSite {
  /** The consent tool; null if the site has named none that may make strings. */
  cmp: { id: number; version: number } | null;
  gpp: SectionChoice & { mspa: Mspa };
}

/** For a site without settings. */
const NOTHING_SET: FrameworksOfSite = {
  cmp: null,
  gpp: { approach: 'STATE', unsettledSections: false, mspa: { covered: false, mode: null } },
};

/** Languages that are written from right to left, by their first subtag. */
const RIGHT_TO_LEFT = new Set(['ar', 'arc', 'ckb', 'dv', 'fa', 'he', 'ks', 'ps', 'sd', 'syr', 'ug', 'ur', 'yi']);
const directionOf = (locale: string): BannerView['direction'] =>
  RIGHT_TO_LEFT.has(locale.split('-')[0]!.toLowerCase()) ? 'RTL' : 'LTR';

/** The first wish that can be met, else the default; `und` if no banner is in force. */
export function bannerLocale(published: PublishedBanner | undefined, wishes: readonly string[]): string {
  if (!published) return 'und';
  return lookUpLocale(wishes, bannerLocales(published.definition)) ?? published.definition.defaultLocale;
}

/** An empty banner. Its language is undetermined. */
const NOTHING: BannerContent = {
  version: 0,
  locale: 'und',
  presentation: 'NONE',
  layout: 'BOX',
  position: 'BOTTOM',
  texts: Object.fromEntries(['title', 'body', ...LABELS].map((name) => [name, null])) as BannerContent['texts'],
  buttons: [],
  links: { privacyPolicy: null, imprint: null },
  theme: { light: {}, dark: {}, radiusPx: null, fontFamily: null },
  behaviour: { dismiss: 'REJECT', scrollLock: false, resurfaceAfterDays: null, reopen: 'LINK' },
};
const NOTHING_HASH = hashOf(NOTHING);

/** The answer while no banner is in force: the policy, and nothing to show. */
export function noBanner(policy: PolicyView, site: FrameworksOfSite = NOTHING_SET): BannerView {
  return {
    object: 'banner',
    availableLocales: [],
    direction: 'LTR',
    ...NOTHING,
    policy,
    purposes: [],
    behaviour: { ...NOTHING.behaviour, resurfaceAfterDays: policy.refusalCooldownDays },
    google: { default: googleDefaults([], policy), waitForUpdateMs: 0 },
    tcf: { enabled: false, publisherCountry: null, vendors: [], ...consentTool(site) },
    gpp: gppOf(policy, site),
    contentHash: NOTHING_HASH,
    effectiveFrom: null,
    publishedAt: null,
  };
}

export function bannerView(
  published: PublishedBanner,
  policy: PolicyView,
  purposes: readonly PurposeView[],
  locale: string,
  /** The disclosed vendors. */
  vendors: readonly Vendor[] = [],
  site: FrameworksOfSite = NOTHING_SET,
): BannerView {
  const { definition, effectiveFrom, publishedAt } = published;
  const { behaviour, google, tcf } = definition;
  const presentation = presentationFor(policy);
  return {
    object: 'banner',
    availableLocales: bannerLocales(definition),
    direction: directionOf(locale),
    ...bannerContent(published, presentation, locale),
    policy,
    purposes: purposes.map((purpose) => bannerPurpose(purpose, policy)),
    behaviour: { ...behaviour, resurfaceAfterDays: longest(behaviour.resurfaceAfterDays, policy.refusalCooldownDays) },
    google: { default: googleDefaults(purposes, policy), waitForUpdateMs: google.waitForUpdateMs },
    tcf: {
      enabled: tcfAt(policy, tcf.publisherCountry),
      publisherCountry: tcf.publisherCountry,
      vendors: vendors.flatMap(({ frameworks }) => frameworks.tcf ?? []).sort((a, b) => a - b),
      ...consentTool(site),
    },
    gpp: gppOf(policy, site),
    contentHash: bannerContentHash(published, presentation, locale),
    effectiveFrom,
    publishedAt,
  };
}

/** The consent tool as TC strings name it. */
const consentTool = ({
  cmp,
}: FrameworksOfSite): Pick<BannerView['tcf'], 'cmpId' | 'cmpVersion' | 'isServiceSpecific'> => ({
  cmpId: cmp?.id ?? null,
  cmpVersion: cmp?.version ?? null,
  isServiceSpecific: true,
});

/** Whether TCF is used at a place by a publisher under the law of this country; null: the site does not use it. */
export const tcfAt = ({ frameworks }: PolicyView, publisherCountry: string | null): boolean =>
  publisherCountry !== null && frameworks.includes('TCF');

/** The sections as GPP strings name them. */
export const gppOf = (policy: PolicyView, { gpp }: FrameworksOfSite): BannerView['gpp'] => ({
  enabled: policy.frameworks.includes('GPP'),
  sections: sectionsFor(policy.gppSections, policy.region, gpp),
  approach: gpp.approach,
  mspa: gpp.mspa,
});

function bannerPurpose(purpose: PurposeView, policy: PolicyView): BannerPurpose {
  const { key, version, name, description, category, consentModel, legalBasis, gpc, locale, contentHash } = purpose;
  return {
    key,
    version,
    name,
    description,
    category,
    consentModel,
    legalBasis,
    gpc,
    locale,
    contentHash,
    default: defaultOf(purpose, policy),
    locked: consentModel === 'ALWAYS_ON',
  };
}

/** What may be done at a place until the visitor chooses. */
export function defaultOf(
  purpose: Pick<PurposeDefinition, 'consentModel' | 'category'>,
  { categories }: Pick<PolicyView, 'categories'>,
): Standing {
  const silence = Object.fromEntries(categories.map((each) => [each.category, each.default])) as ByCategory;
  const { effective } = permissionFor(purpose.consentModel, silenceOn(purpose, silence), 'NOTHING');
  return effective === 'ALLOWED' ? 'GRANTED' : 'DENIED';
}

type ByCategory = Parameters<typeof silenceOn>[1];

/** By the same mapping as the consent mode of a subject, so that both agree until the visitor chooses. */
const googleDefaults = (purposes: readonly PurposeView[], policy: PolicyView): GoogleConsent =>
  googleConsent(purposes, (purpose) => defaultOf(purpose, policy) === 'GRANTED');

const longest = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.max(a, b);
