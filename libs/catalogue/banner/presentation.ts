import { epochMs, instantOf, type Instant } from '../../kernel/index.js';
import type { PolicyView } from '../../policy/index.js';
import type { CatalogueState } from '../state.js';
import type { BannerButton } from './definition.js';
import type { BannerPurpose, BannerView } from './view.js';

/**
 * What was shown to ask somebody, as a record keeps it. Every text is named by its hash and served by it for ever. It
 * says nothing of who was asked: all who see the same at a place within a quarter of an hour have the same one.
 */
export interface Presentation {
  /** At this moment exactly this was shown. Whoever answers may have seen it up to 20 minutes later. */
  shownAt: Instant;
  banner: ShownBanner;
  buttons: readonly BannerButton[];
  /** The rule of law that decided it, and the place that it was looked up for; null where that was not known. */
  policy: ShownPolicy;
  purposes: readonly ShownPurpose[];
}

export type ShownBanner = Pick<BannerView, 'version' | 'locale' | 'presentation' | 'contentHash'>;
export type ShownPolicy = Pick<PolicyView, 'id' | 'country' | 'region' | 'matchedBy' | 'fingerprint' | 'asOf'>;

export type ShownPurpose = Pick<BannerPurpose, 'key' | 'version' | 'locale' | 'contentHash' | 'default'>;

/** Null where there was nothing to show. */
export function presentationOf(view: BannerView, shownAt: Instant): Presentation | null {
  const { version, locale, presentation, contentHash, buttons, purposes } = view;
  if (version === 0) return null;
  const { id, country, region, matchedBy, fingerprint, asOf } = view.policy;
  return {
    shownAt,
    banner: { version, locale, presentation, contentHash },
    buttons,
    policy: { id, country, region, matchedBy, fingerprint, asOf },
    purposes: purposes.map((purpose) => ({
      key: purpose.key,
      version: purpose.version,
      locale: purpose.locale,
      contentHash: purpose.contentHash,
      default: purpose.default,
    })),
  };
}

/**
 * For so long what is shown is stated with the same words, so that the answer stays the same to the byte and can be
 * revalidated. A banner may be kept for five minutes more.
 */
const STATED_MS = 15 * 60_000;

/** Since when a moment's banner is stated: the beginning of its quarter of an hour, or later where it changed within that. */
export function statedSince(at: Instant, changes: readonly (Instant | null)[]): Instant {
  const since = instantOf(epochMs(at) - (epochMs(at) % STATED_MS));
  return changes.reduce<Instant>((latest, change) => (change !== null && change > latest ? change : latest), since);
}

/** Tells quarters of an hour apart. */
export const quarterOf = (at: Instant): number => Math.floor(epochMs(at) / STATED_MS);

/** The last moment up to now at which anything of a catalogue began or ceased to hold; null before the first. */
export function lastChange({ purposes, documents }: CatalogueState, at: Instant): Instant | null {
  const versions = [
    ...Object.values(purposes).flatMap((purpose) => purpose.versions),
    ...Object.values(documents).flat(),
  ];
  // Who publishes today what is in force since yesterday shows it from today on.
  const begun = versions.map(({ effectiveFrom, publishedAt }) =>
    effectiveFrom > publishedAt ? effectiveFrom : publishedAt,
  );
  const ceased = Object.values(purposes).flatMap(({ retiredAt }) => retiredAt ?? []);
  const passed = [...begun, ...ceased].filter((change) => change <= at);
  return passed.length === 0 ? null : passed.reduce((a, b) => (a > b ? a : b));
}
