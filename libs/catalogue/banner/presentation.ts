import { epochMs, instantOf, type Instant } from '../../kernel/index.js';
import type { PolicyView } from '../../policy/index.js';
import type { CatalogueState } from '../state.js';
import type { BannerButton } from './definition.js';
import type { BannerPurpose, BannerView } from './view.js';

/**
 * What a page showed when it asked, as a record stores it. A hash names every text, and the service answers each hash
 * for ever. A presentation identifies no person: all who see the same at a place within a quarter of an hour have the
 * same one.
 */
export interface Presentation {
  /** The page's content as of this moment. A visitor may have seen it up to 20 minutes later. */
  shownAt: Instant;
  banner: ShownBanner;
  buttons: readonly BannerButton[];
  /** The legal rule that decided it, and the place that it was looked up for; null: unknown place. */
  policy: ShownPolicy;
  purposes: readonly ShownPurpose[];
}

export type ShownBanner = Pick<BannerView, 'version' | 'locale' | 'presentation' | 'contentHash'>;
export type ShownPolicy = Pick<PolicyView, 'id' | 'country' | 'region' | 'matchedBy' | 'fingerprint' | 'asOf'>;

export type ShownPurpose = Pick<BannerPurpose, 'key' | 'version' | 'locale' | 'contentHash' | 'default'>;

/** Null if the banner shows nothing. */
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
 * How long a presentation keeps its time, in ms, so that the answer stays the same to the byte and can be revalidated. A
 * page may cache a banner for five minutes more.
 */
const STATED_MS = 15 * 60_000;

/** The time in a presentation: the beginning of the quarter of an hour, or the last change of the banner within it. */
export function statedSince(at: Instant, changes: readonly (Instant | null)[]): Instant {
  const since = instantOf(epochMs(at) - (epochMs(at) % STATED_MS));
  return changes.reduce<Instant>((latest, change) => (change !== null && change > latest ? change : latest), since);
}

/** Number of the quarter of an hour. */
export const quarterOf = (at: Instant): number => Math.floor(epochMs(at) / STATED_MS);

/** The last moment up to now at which a part of the catalogue came into force or ended; null before the first. */
export function lastChange({ purposes, documents }: CatalogueState, at: Instant): Instant | null {
  const versions = [
    ...Object.values(purposes).flatMap((purpose) => purpose.versions),
    ...Object.values(documents).flat(),
  ];
  // A version published today that is in force since yesterday is shown from today on.
  const begun = versions.map(({ effectiveFrom, publishedAt }) =>
    effectiveFrom > publishedAt ? effectiveFrom : publishedAt,
  );
  const ceased = Object.values(purposes).flatMap(({ retiredAt }) => retiredAt ?? []);
  const passed = [...begun, ...ceased].filter((change) => change <= at);
  return passed.length === 0 ? null : passed.reduce((a, b) => (a > b ? a : b));
}
