import { tried } from '../client/page.js';

/** Where other consent products keep the id under which they recorded a choice, and what they call it there. */
const KEPT_BY: Readonly<Record<string, string>> = {
  c15t: 'storage:c15t.subjectId',
  cookiebot: 'cookie:CookieConsent.stamp',
  didomi: 'cookie:didomi_token.user_id',
  onetrust: 'cookie:OptanonConsent.consentId',
  usercentrics: 'storage:uc_settings.controllerId',
  'vanilla-cookieconsent': 'cookie:cc_cookie.consentId',
};
/** `cookie:<name>` or `storage:<name>`, and the member of what stands there that is the id. */
const PLACE = /^(cookie|storage):([\w-]+)(?:\.([\w-]+))?$/;
/** What the service takes for the id of a visitor, at most. */
const ID = /^[\w-]{16,128}$/;

/** What a browser keeps under a name: a cookie, decoded, or an entry of the local storage; null where there is none. */
export type Keeper = (kind: 'cookie' | 'storage', name: string) => string | null;

export const inBrowser: Keeper = (kind, name) => {
  if (kind === 'storage') return tried(() => localStorage.getItem(name));
  const value = tried(() => document.cookie)
    ?.split('; ')
    .find((each) => each.startsWith(`${name}=`))
    ?.slice(name.length + 1);
  return value === undefined ? null : (tried(() => decodeURIComponent(value)) ?? value);
};

/**
 * The id that a browser has from a product that was used before, as it stands behind `visitor_id:` in the service: Base64 is
 * written as base64url without padding. `from`: a product, or a place. Null where there is none.
 */
export function oldVisitor(from: string, kept: Keeper): string | null {
  const [, kind, name, member] = PLACE.exec(KEPT_BY[from] ?? from) ?? [];
  const text = kind ? kept(kind as 'cookie' | 'storage', name!) : null;
  const found = text !== null && member ? memberOf(text, member) : text;
  const id = found?.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '') ?? '';
  return ID.test(id) ? id : null;
}

/** A member by its name, wherever it stands in JSON, in Base64 of JSON, in an object literal, or in a query. */
function memberOf(text: string, name: string): string | undefined {
  const plain = /^[\w+/]+=*$/.test(text) ? (tried(() => atob(text)) ?? text) : text;
  return new RegExp(`(?:^|[&{,\\s])["']?${name}["']?\\s*[=:]\\s*["']?([\\w+/-]+=*)`).exec(plain)?.[1];
}
