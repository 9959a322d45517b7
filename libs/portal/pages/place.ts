import type { SiteSettings } from '../../access/index.js';
import type { Instant, Scope } from '../../kernel/index.js';
import type { ShownBrand } from '../../pages/brand.js';
import type { Language } from '../../pages/languages.js';
import type { PortalWords } from '../texts/words.js';
import type { PortalSession } from './sessions.js';

/** The pages behind the menu, in its order. */
export const PORTAL_PAGES = ['preferences', 'consents', 'receipts', 'requests'] as const;
export type PortalPage = (typeof PORTAL_PAGES)[number];
export const isPortalPage = (text: string): text is PortalPage => (PORTAL_PAGES as readonly string[]).includes(text);

/** The scopes that a session needs to see a page. */
export const PAGE_SCOPES = {
  preferences: 'preferences:read',
  consents: 'consent:read',
  receipts: 'receipts:read',
  requests: 'requests:read',
} as const;

/** Where a page stands, and for whom it is made. */
export interface PortalPlace {
  scope: Scope;
  settings: SiteSettings;
  /** `/portal/<site>/<env>`, behind the path that the service is published under. */
  path: string;
  /** Null: no person is signed in. */
  session: PortalSession | null;
  language: Language;
  /** What texts of the site are wanted in, best first. */
  wishes: readonly string[];
  words: PortalWords;
  brand: ShownBrand;
  at: Instant;
  /** Whether it takes a token out of its own address: the page that links lead to, with or without a session. */
  takesToken: boolean;
}

export const pagesOf = ({ session }: PortalPlace): PortalPage[] =>
  session ? PORTAL_PAGES.filter((page) => session.scopes.includes(PAGE_SCOPES[page])) : [];
