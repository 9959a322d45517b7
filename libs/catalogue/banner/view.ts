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
  /** What holds here as long as nobody has chosen. */
  default: Standing;
  /** Whether it is no choice at all. */
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
    /** Ids in the Global Vendor List of those that people are told of, in ascending order. */
    vendors: readonly number[];
    /** The consent tool that TC strings are made with; null where none can be made. */
    cmpId: number | null;
    cmpVersion: number | null;
    /** No string says that it holds on other sites too: the policies of TCF took that away. */
    isServiceSpecific: true;
  };
  gpp: {
    enabled: boolean;
    /** Those that GPP strings are made for at this place, ascending. */
    sections: readonly number[];
    approach: SectionChoice['approach'];
    mspa: Mspa;
  };
  /** Of what the banner itself shows in this language: texts, buttons, links, looks. Purposes and policy have their own. */
  contentHash: string;
  effectiveFrom: Instant | null;
  publishedAt: Instant | null;
}

/** Of the Multi-State Privacy Agreement of IAB: whether what the site does is covered by it, and in which of its modes. */
interface Mspa {
  covered: boolean;
  mode: 'OPT_OUT' | 'SERVICE_PROVIDER' | null;
}

/** What strings say of a site. */
export interface FrameworksOfSite {
  /** The consent tool; null where the site has named none that may make strings. */
  cmp: { id: number; version: number } | null;
  gpp: SectionChoice & { mspa: Mspa };
}

/** What is said of a site that has set nothing. */
const NOTHING_SET: FrameworksOfSite = {
  cmp: null,
  gpp: { approach: 'STATE', unsettledSections: false, mspa: { covered: false, mode: null } },
};

/** Languages that are written from right to left, by their first subtag. */
const RIGHT_TO_LEFT = new Set(['ar', 'arc', 'ckb', 'dv', 'fa', 'he', 'ks', 'ps', 'sd', 'syr', 'ug', 'ur', 'yi']);
const directionOf = (locale: string): BannerView['direction'] =>
  RIGHT_TO_LEFT.has(locale.split('-')[0]!.toLowerCase()) ? 'RTL' : 'LTR';

/** The first wish that can be met, else the default; `und` where no banner is in force. */
export function bannerLocale(published: PublishedBanner | undefined, wishes: readonly string[]): string {
  if (!published) return 'und';
  return lookUpLocale(wishes, bannerLocales(published.definition)) ?? published.definition.defaultLocale;
}

/** Nothing to show. Its language is undetermined. */
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

/** What is served where no banner is in force: the policy, and nothing to show. */
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
  /** Those that people are told of. */
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
      enabled: tcf.publisherCountry !== null && policy.frameworks.includes('TCF'),
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

/** As TC strings say it. */
const consentTool = ({
  cmp,
}: FrameworksOfSite): Pick<BannerView['tcf'], 'cmpId' | 'cmpVersion' | 'isServiceSpecific'> => ({
  cmpId: cmp?.id ?? null,
  cmpVersion: cmp?.version ?? null,
  isServiceSpecific: true,
});

/** As GPP strings say it. */
const gppOf = (policy: PolicyView, { gpp }: FrameworksOfSite): BannerView['gpp'] => ({
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

/** What may be done at a place as long as nobody has chosen. */
export function defaultOf(
  purpose: Pick<PurposeDefinition, 'consentModel' | 'category'>,
  { categories }: Pick<PolicyView, 'categories'>,
): Standing {
  const silence = Object.fromEntries(categories.map((each) => [each.category, each.default])) as ByCategory;
  const { effective } = permissionFor(purpose.consentModel, silenceOn(purpose, silence), 'NOTHING');
  return effective === 'ALLOWED' ? 'GRANTED' : 'DENIED';
}

type ByCategory = Parameters<typeof silenceOn>[1];

/** By the same mapping as the consent mode of a subject, so that the two agree as long as nobody has chosen. */
const googleDefaults = (purposes: readonly PurposeView[], policy: PolicyView): GoogleConsent =>
  googleConsent(purposes, (purpose) => defaultOf(purpose, policy) === 'GRANTED');

const longest = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.max(a, b);
