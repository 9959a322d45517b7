import { hashOf, type Instant } from '../kernel/index.js';
import type { PurposeDefinition, PurposePublishedData, PurposeText } from './events.js';
import { lookUpLocale } from '../pages/locale.js';
import { isRetired, type CataloguedPurpose } from './state.js';

/**
 * Part of every ETag of purposes. Raise it with any change after which the same catalogue is answered differently, so
 * that no cache takes an answer of an older release for current.
 */
export const PURPOSE_VIEW_VERSION = 1;

/** A purpose for one reader: one version in one language. */
export type PurposeView = Omit<PurposeDefinition, 'translations' | 'defaultLocale'> &
  PurposeText & {
    object: 'purpose';
    version: number;
    status: 'DRAFT' | 'PUBLISHED' | 'RETIRED';
    change: PurposePublishedData['change'];
    locale: string;
    availableLocales: string[];
    /** Hash of exactly this version in exactly this language. A record stores it as proof of what was shown. */
    contentHash: string;
    effectiveFrom: Instant;
    publishedAt: Instant;
  };

type PublishedPurpose = Pick<PurposePublishedData, 'definition' | 'version'>;

/** Terms and wording of one version in one language. */
export type PurposeContent = Omit<PurposeDefinition, 'translations' | 'defaultLocale'> & {
  version: number;
  locale: string;
  text: PurposeText;
};

const hashes = new WeakMap<PurposePublishedData, Map<string, string>>();

/** Hash of one text: key, version, terms and wording of one locale. Cached beside the version, which never changes. */
export function contentHash(published: PurposePublishedData, locale: string): string {
  let byLocale = hashes.get(published);
  // Stryker disable next-line ConditionalExpression: without the cache this is only slower
  if (!byLocale) hashes.set(published, (byLocale = new Map<string, string>()));
  let hash = byLocale.get(locale);
  // Stryker disable next-line ConditionalExpression: without the cache this is only slower
  if (!hash) byLocale.set(locale, (hash = hashOf(purposeContent(published, locale))));
  return hash;
}

/** The content that this hash covers. Like the content of a banner it must never change for a published version. */
export function purposeContent({ definition, version }: PublishedPurpose, locale: string): PurposeContent {
  const { translations, defaultLocale: _, ...terms } = definition;
  return { ...terms, version, locale, text: translations[locale]! };
}

/** The language to serve: the first wish that can be met, else the purpose's own default. */
export function servedLocale(definition: PurposeDefinition, wishes: readonly string[]): string {
  return lookUpLocale(wishes, Object.keys(definition.translations)) ?? definition.defaultLocale;
}

export function purposeView(
  purpose: CataloguedPurpose,
  published: PurposePublishedData,
  wishes: readonly string[],
  at: Instant,
): PurposeView {
  const { key, translations, defaultLocale: _, ...terms } = published.definition;
  const locale = servedLocale(published.definition, wishes);
  const text = translations[locale]!;
  return {
    key,
    object: 'purpose',
    version: published.version,
    status: isRetired(purpose, at) ? 'RETIRED' : published.effectiveFrom > at ? 'DRAFT' : 'PUBLISHED',
    ...terms,
    name: text.name,
    description: text.description,
    legalText: text.legalText,
    change: published.change,
    locale,
    availableLocales: Object.keys(translations).sort(),
    contentHash: contentHash(published, locale),
    effectiveFrom: published.effectiveFrom,
    publishedAt: published.publishedAt,
  };
}
