import { hashOf } from '../../kernel/index.js';
import type { DocumentPublishedData } from '../document.js';
import { lookUpLocale } from '../../pages/locale.js';
import type { Vendor, VendorsDefinition } from '../vendors/definition.js';
import type { Cookie, CookiesDefinition } from './definition.js';

/** Part of every ETag of the list of cookies; raised like PURPOSE_VIEW_VERSION. */
export const COOKIES_VIEW_VERSION = 2;

export type VendorView = Omit<Vendor, 'purposeKeys'>;
export type CookieView = Omit<Cookie, 'path' | 'description' | 'vendor'> & {
  path: string;
  description: string;
  vendor: VendorView | null;
};

/** The whole list of cookies in one language, with the vendors in force beside it. */
export interface CookieListView {
  object: 'cookie_list';
  version: number;
  locale: string;
  availableLocales: readonly string[];
  contentHash: string;
  cookies: readonly CookieView[];
}

const NONE: CookieListView = {
  object: 'cookie_list',
  version: 0,
  locale: 'und',
  availableLocales: [],
  contentHash: hashOf({ version: 0, locale: 'und', cookies: [] }),
  cookies: [],
};

type Published = DocumentPublishedData<CookiesDefinition>;
type Vendors = DocumentPublishedData<VendorsDefinition> | undefined;

/** By version of the list; within it by language, for the vendors that it was made with. */
const views = new WeakMap<Published, Map<string, { vendors: Vendors; view: CookieListView }>>();

/** In the first wished language that exists, else the default. Made once for each language and list of vendors. */
export function cookieListView(
  published: Published | undefined,
  vendors: Vendors,
  wishes: readonly string[],
): CookieListView {
  if (!published) return NONE;
  const { defaultLocale, cookies } = published.definition;
  // Every text exists in every language, so any text shows the languages.
  const availableLocales = cookies[0] ? Object.keys(cookies[0].description).sort() : [defaultLocale];
  const locale = lookUpLocale(wishes, availableLocales) ?? defaultLocale;
  let byLocale = views.get(published);
  if (!byLocale) views.set(published, (byLocale = new Map<string, { vendors: Vendors; view: CookieListView }>()));
  const known = byLocale.get(locale);
  if (known && known.vendors === vendors) return known.view;
  const view = inLanguage(published, vendors, locale, availableLocales);
  byLocale.set(locale, { vendors, view });
  return view;
}

function inLanguage(
  { definition, version }: Published,
  vendors: Vendors,
  locale: string,
  availableLocales: readonly string[],
): CookieListView {
  const byKey = new Map(vendors?.definition.vendors.map((vendor) => [vendor.key, vendorView(vendor)]));
  const cookies = definition.cookies.map(({ description, vendor, ...cookie }) => ({
    path: '/',
    ...cookie,
    vendor: vendor === null ? null : (byKey.get(vendor) ?? null),
    description: description[locale]!,
  }));
  const contentHash = hashOf({ version, locale, cookies });
  return { object: 'cookie_list', version, locale, availableLocales, contentHash, cookies };
}

export const vendorView = ({ key, name, country, privacyPolicy, frameworks }: Vendor): VendorView => ({
  key,
  name,
  country,
  privacyPolicy,
  frameworks,
});
