import type { Banner, BannerManifest } from '../../client/types.js';

/** Where a visitor is, and what they read. */
export interface Whereabouts {
  /** ISO 3166-1 alpha-2, such as `US`. Absent, empty or unknown: the strictest rule applies. */
  country?: string | null;
  /** ISO 3166-2, such as `US-CA`, or its last part, such as `CA`. */
  region?: string | null;
  /** BCP 47, such as `de-AT`. Absent or not to be had: the default language of the banner. */
  locale?: string | null;
}

/** What GET /v1/banner answers at a place, without its token. */
export interface BannerOfManifest {
  banner: Omit<Banner, 'presentationToken'>;
  /** Hash of all that is seen: `contentHash` of the query of GET /v1/banner. */
  contentHash: string;
  /** The place whose rule it is; null: the rule for all other places. */
  country: string | null;
  region: string | null;
}

/** Null where the manifest has no room for the language, or none was published in it. */
export function bannerAt(manifest: BannerManifest, { country, region, locale }: Whereabouts): BannerOfManifest | null {
  const code = (country ?? region?.slice(0, 2) ?? '').toUpperCase();
  const sent = (region ?? '').toUpperCase();
  const within = sent === '' || sent.includes('-') ? sent : `${code}-${sent}`;
  const rule =
    manifest.rules.find((each) => each.region !== null && each.country === code && each.region === within) ??
    manifest.rules.find((each) => each.region === null && each.country === code) ??
    manifest.rules.find((each) => each.country === null);
  const { availableLocales, defaultLocale } = manifest;
  const language = (locale && lookUp(locale, availableLocales)) ?? defaultLocale ?? 'und';
  const contentHash = rule?.contents[language];
  const content = contentHash === undefined ? undefined : manifest.contents[contentHash];
  if (!rule || !content || contentHash === undefined) return null;
  const { policy, google, gpp } = rule;
  return {
    banner: { ...content, policy, google, gpp, tcf: { ...manifest.tcf, enabled: rule.tcf.enabled } },
    contentHash,
    country: rule.country,
    region: rule.region,
  };
}

/** RFC 4647, 3.4: the wish is shortened from its end until something offered matches. */
function lookUp(wish: string, offered: readonly string[]): string | null {
  for (let range = wish.toLowerCase(); range !== ''; range = range.replace(/(^|(-\w)?-)[^-]*$/, '')) {
    const match = offered.find((each) => each.toLowerCase() === range);
    if (match !== undefined) return match;
  }
  return null;
}
