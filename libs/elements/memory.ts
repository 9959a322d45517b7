import { forget, keep, kept, tried } from '../client/page.js';
import { CHOICE_COOKIE, SHARED_COOKIE } from './cookie-names.js';
import type { Settings } from './settings.js';

/** What this browser keeps of a choice, so that a page knows without a request whether to ask. */
export interface Memory {
  /** Milliseconds since 1970 by the clock of the device; null: until the purposes change. */
  until: number | null;
  /** Keys of the purposes that were asked for, or looked at since. */
  purposes: readonly string[];
  /** Words of the way back to the choices, and their language. */
  label: readonly [string, string];
  /** The banner was closed without a choice: what holds then, by purpose. */
  silence?: Readonly<Record<string, boolean>>;
}

/** Bytes of a cookie that browsers keep (RFC 6265, 6.1), without its name and attributes. */
const COOKIE_LENGTH_MAX = 3800;
const COOKIE_DAYS = 400;
/** Characters of the key that names are made of, as in the client library: what stands behind them is secret there. */
const KEY_NAME_LENGTH = 20;

const nameIn = ({ key }: Settings): string => `assent.${key.slice(0, KEY_NAME_LENGTH)}`;
/** Where the client library keeps the id of the visitor. */
export const visitorName = (settings: Settings): string => `${nameIn(settings)}.visitor`;
/** A choice counts for the place that the page names. */
const choiceName = (settings: Settings): string =>
  `${nameIn(settings)}.choice.${settings.region ?? settings.country ?? ''}`;

/** The choice that still counts at a moment; null where people are to be asked. */
export function remembered(settings: Settings, nowMs = Date.now()): Memory | null {
  const memory = tried(() => JSON.parse(kept(choiceName(settings)) ?? 'null') as Memory | null);
  const isWhole = Array.isArray(memory?.purposes);
  return isWhole && (memory!.until === null || nowMs < memory!.until) ? memory : null;
}

export function remember(settings: Settings, memory: Memory): void {
  keep(choiceName(settings), JSON.stringify(memory));
  share(settings);
}

/** As if this browser had never been asked. */
export function forgetChoice(settings: Settings): void {
  forget(choiceName(settings));
  share(settings);
}

/** Writes visitor and choice into the cookie of the parent domain, where the page names one, and for its server until when the choice counts. */
function share(settings: Settings): void {
  const { cookieDomain, region, country } = settings;
  if (settings.isRendered) {
    const choice = remembered(settings);
    write(CHOICE_COOKIE, choice ? `${region ?? country ?? ''}:${choice.until ?? ''}` : null, '');
  }
  if (cookieDomain === undefined) return;
  const value = encodeURIComponent(JSON.stringify([kept(visitorName(settings)), kept(choiceName(settings))]));
  if (value.length <= COOKIE_LENGTH_MAX) write(SHARED_COOKIE, value, `;domain=${cookieDomain}`);
}

/** Null: no such cookie any more. */
function write(name: string, value: string | null, domain: string): void {
  const maxAge = value === null ? 0 : COOKIE_DAYS * 86_400;
  const secure = location.protocol === 'https:' ? ';secure' : '';
  document.cookie = `${name}=${value ?? ''}${domain};path=/;max-age=${maxAge};samesite=lax${secure}`;
}

/** The place of a choice that the cookie names; null where there is no such cookie. */
export function placeInCookie(): { country?: string; region?: string } | null {
  const found = new RegExp(`(?:^|; )${CHOICE_COOKIE}=([A-Z]{2}(?:-\\w{1,3})?)?:`).exec(document.cookie);
  if (!found) return null;
  const [, place] = found;
  return place ? { country: place.slice(0, 2), ...(place.length > 2 && { region: place }) } : {};
}

/** Takes over visitor and choice that a page of another sub-domain left in the cookie. */
export function takeOver(settings: Settings): void {
  if (settings.cookieDomain === undefined) return;
  const [, value] = new RegExp(`(?:^|; )${SHARED_COOKIE}=([^;]*)`).exec(document.cookie) ?? [];
  if (value === undefined) return;
  const [visitor, choice] = tried(() => JSON.parse(decodeURIComponent(value)) as (string | null)[]) ?? [];
  if (typeof visitor === 'string') keep(visitorName(settings), visitor);
  if (typeof choice === 'string') keep(choiceName(settings), choice);
  else forget(choiceName(settings));
}
