import { hashOf, type Instant } from '../../kernel/index.js';
import { permissionFor, silenceOn, type PolicyView } from '../../policy/index.js';
import type { DocumentPublishedData } from '../document.js';
import { lookUpLocale } from '../locale.js';
import { GOOGLE_CONSENT_TYPES, type PurposeDefinition } from '../purpose-definition.js';
import type { PurposeView } from '../view.js';
import {
  LABELS,
  type BannerButton,
  type BannerDefinition,
  type LabelName,
  type PresentationName,
} from './definition.js';

/** Part of every ETag of the banner; raised like PURPOSE_VIEW_VERSION. */
export const BANNER_VIEW_VERSION = 1;

type Standing = 'GRANTED' | 'DENIED';
type GoogleType = (typeof GOOGLE_CONSENT_TYPES)[number];

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
export interface BannerView {
  object: 'banner';
  version: number;
  locale: string;
  availableLocales: readonly string[];
  direction: 'LTR' | 'RTL';
  presentation: 'OPT_IN' | 'OPT_OUT' | 'NOTICE_ONLY' | 'NONE';
  policy: PolicyView;
  layout: BannerDefinition['layout'];
  position: BannerDefinition['position'];
  texts: Record<'title' | 'body' | LabelName, string | null>;
  buttons: readonly BannerButton[];
  purposes: readonly BannerPurpose[];
  links: { privacyPolicy: string | null; imprint: string | null };
  theme: BannerDefinition['theme'];
  behaviour: BannerDefinition['behaviour'];
  google: { default: Record<GoogleType, 'granted' | 'denied'>; waitForUpdateMs: number };
  tcf: { enabled: boolean; publisherCountry: string | null };
  gpp: { enabled: boolean; sections: readonly number[] };
  /** Of all that is shown here: texts, buttons, purposes, policy. */
  contentHash: string;
  effectiveFrom: Instant | null;
  publishedAt: Instant | null;
}

/** Languages that are written from right to left, by their first subtag. */
const RIGHT_TO_LEFT = new Set(['ar', 'arc', 'ckb', 'dv', 'fa', 'he', 'ks', 'ps', 'sd', 'syr', 'ug', 'ur', 'yi']);
const directionOf = (locale: string): BannerView['direction'] =>
  RIGHT_TO_LEFT.has(locale.split('-')[0]!.toLowerCase()) ? 'RTL' : 'LTR';

/** Every text is there in every language, so any of them tells. */
export const bannerLocales = ({ presentations }: BannerDefinition): string[] =>
  Object.keys(presentations.optIn.title).sort();

/** The first wish that can be met, else the default; `und` where no banner is in force. */
export function bannerLocale(
  published: DocumentPublishedData<BannerDefinition> | undefined,
  wishes: readonly string[],
): string {
  if (!published) return 'und';
  return lookUpLocale(wishes, bannerLocales(published.definition)) ?? published.definition.defaultLocale;
}

/** What is served where no banner is in force: the policy, and nothing to show. Its language is undetermined. */
export function noBanner(policy: PolicyView): BannerView {
  const shown = {
    presentation: 'NONE',
    policy,
    layout: 'BOX',
    position: 'BOTTOM',
    texts: Object.fromEntries(['title', 'body', ...LABELS].map((name) => [name, null])) as BannerView['texts'],
    buttons: [],
    purposes: [],
    links: { privacyPolicy: null, imprint: null },
    theme: { light: {}, dark: {}, radiusPx: null, fontFamily: null },
    behaviour: { dismiss: 'REJECT', scrollLock: false, resurfaceAfterDays: policy.refusalCooldownDays, reopen: 'LINK' },
    google: { default: googleDefaults([], policy), waitForUpdateMs: 0 },
    tcf: { enabled: false, publisherCountry: null },
    gpp: { enabled: policy.frameworks.includes('GPP'), sections: policy.gppSections },
  } satisfies Partial<BannerView>;
  return {
    object: 'banner',
    version: 0,
    locale: 'und',
    availableLocales: [],
    direction: 'LTR',
    ...shown,
    contentHash: hashOf({ version: 0, locale: 'und', ...shown }),
    effectiveFrom: null,
    publishedAt: null,
  };
}

/** Which presentation a policy asks for; that for OPT_IN wherever refusing must be as easy as agreeing. */
export function presentationFor({ model, bannerRequired, rejectRequired }: PolicyView): BannerView['presentation'] {
  if (rejectRequired || model === 'OPT_IN') return 'OPT_IN';
  return model === 'NONE' && bannerRequired ? 'NOTICE_ONLY' : model;
}

const NAMES: Partial<Record<BannerView['presentation'], PresentationName>> = {
  OPT_OUT: 'optOut',
  NOTICE_ONLY: 'noticeOnly',
};

export function bannerView(
  { definition, version, effectiveFrom, publishedAt }: DocumentPublishedData<BannerDefinition>,
  policy: PolicyView,
  purposes: readonly PurposeView[],
  locale: string,
): BannerView {
  const { layout, position, presentations, labels, links, theme, behaviour, google, tcf } = definition;
  const presentation = presentationFor(policy);
  const { title, body, buttons } = presentations[NAMES[presentation] ?? 'optIn'] ?? presentations.optIn;
  const label = (name: LabelName): [LabelName, string | null] => [name, labels[name]?.[locale] ?? null];
  const shown = {
    presentation,
    policy,
    layout,
    position,
    texts: {
      title: title[locale]!,
      body: body[locale]!,
      ...(Object.fromEntries(LABELS.map(label)) as Record<LabelName, string | null>),
    },
    buttons: presentation === 'NONE' ? [] : buttons,
    purposes: purposes.map((purpose) => bannerPurpose(purpose, policy)),
    links: { privacyPolicy: links.privacyPolicy?.[locale] ?? null, imprint: links.imprint?.[locale] ?? null },
    theme,
    behaviour: { ...behaviour, resurfaceAfterDays: longest(behaviour.resurfaceAfterDays, policy.refusalCooldownDays) },
    google: { default: googleDefaults(purposes, policy), waitForUpdateMs: google.waitForUpdateMs },
    tcf: {
      enabled: tcf.publisherCountry !== null && policy.frameworks.includes('TCF'),
      publisherCountry: tcf.publisherCountry,
    },
    gpp: { enabled: policy.frameworks.includes('GPP'), sections: policy.gppSections },
  };
  return {
    object: 'banner',
    version,
    locale,
    availableLocales: bannerLocales(definition),
    direction: directionOf(locale),
    ...shown,
    contentHash: hashOf({ version, locale, ...shown }),
    effectiveFrom,
    publishedAt,
  };
}

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

/** A type is granted where every purpose that it belongs to is, and denied where it belongs to none. */
function googleDefaults(purposes: readonly PurposeView[], policy: PolicyView): BannerView['google']['default'] {
  const standing = (type: GoogleType): [GoogleType, 'granted' | 'denied'] => {
    const carriers = purposes.filter(({ frameworks }) => frameworks.google.includes(type));
    const isGranted = carriers.length > 0 && carriers.every((purpose) => defaultOf(purpose, policy) === 'GRANTED');
    return [type, isGranted ? 'granted' : 'denied'];
  };
  return Object.fromEntries(GOOGLE_CONSENT_TYPES.map(standing)) as BannerView['google']['default'];
}

const longest = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.max(a, b);
