import type { Accent, ShownBrand } from '../../pages/brand.js';
import { lookUpLocale } from '../../pages/locale.js';
import { textOn } from '../../kernel/contrast.js';
import type { SiteSettings } from '../events.js';
import { NO_BRAND, type ByLanguage } from './brand.js';
import type { KeyDirectory } from './key-directory.js';

/** `locales`: what the reader is to be spoken to in, best first. The language of the site comes behind. */
export function shownBrand(
  { name, defaultLocale, brand = NO_BRAND, logo = null }: SiteSettings,
  locales: readonly string[],
): ShownBrand {
  const inLanguage = (texts: ByLanguage): string | null => {
    const tag = lookUpLocale([...locales, defaultLocale], Object.keys(texts)) ?? Object.keys(texts)[0];
    return tag === undefined ? null : texts[tag]!;
  };
  const { accentColor, accentColorDark } = brand;
  return {
    name: inLanguage(brand.displayName) ?? name,
    logo,
    accent: accentColor === null ? null : { light: accent(accentColor), dark: accent(accentColorDark ?? accentColor) },
    imprintUrl: inLanguage(brand.imprintUrl),
    privacyUrl: inLanguage(brand.privacyUrl),
  };
}

/** The same of the site that a link names; null where this process does not know it (yet). */
export function brandOfSite(directory: KeyDirectory, site: string, locale: string): ShownBrand | null {
  const settings = directory.site(site)?.settings;
  return settings ? shownBrand(settings, [locale]) : null;
}

const accent = (color: string): Accent => ({ color, text: textOn(color) });
