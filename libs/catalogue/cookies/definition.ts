import type { PurposeCategory } from '../../kernel/index.js';
import type { Texts } from '../texts/texts.js';

/** How `name` is compared with the name that a browser shows. GLOB: `*` stands for any characters. */
export const COOKIE_MATCHES = ['EXACT', 'PREFIX', 'GLOB'] as const;
export const COOKIE_TECHNOLOGIES = [
  'COOKIE',
  'LOCAL_STORAGE',
  'SESSION_STORAGE',
  'INDEXED_DB',
  'CACHE_STORAGE',
  'PIXEL',
  'SCRIPT',
  'IFRAME',
  'SDK',
] as const;
export const COOKIE_PARTIES = ['FIRST', 'THIRD'] as const;
/** SESSION: until the browser is closed. */
export const COOKIE_DURATIONS = ['SESSION', 'PERSISTENT'] as const;

/** An entry that a page stores on the device, or a resource that it loads from elsewhere. */
export interface Cookie {
  name: string;
  match: (typeof COOKIE_MATCHES)[number];
  technology: (typeof COOKIE_TECHNOLOGIES)[number];
  /** Null: the domain of the page. */
  domain: string | null;
  /** Of a cookie, the path that it is set for (RFC 6265, 4.1.2.4). Absent: `/`. */
  path?: string;
  party: (typeof COOKIE_PARTIES)[number];
  category: PurposeCategory;
  purposeKeys: readonly string[];
  /** Key of the vendor in `vendors.yaml`; null: the site itself. */
  vendor: string | null;
  duration: (typeof COOKIE_DURATIONS)[number];
  /** How long it is stored; null for SESSION, and if it has no end. */
  maxAgeSeconds: number | null;
  description: Texts;
}

export interface CookiesDefinition {
  defaultLocale: string;
  cookies: readonly Cookie[];
}
