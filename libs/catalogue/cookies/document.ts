import { canonicalJson } from '../../kernel/index.js';
import { defineDocument, type Surroundings } from '../document.js';
import { twice, untranslated, type Say } from '../texts/texts.js';
import { unknownPurposes, unknownVendors } from '../vendors/document.js';
import type { Cookie, CookiesDefinition } from './definition.js';

/** The list of cookies, `cookies.yaml`: what the site stores on devices, and for which purposes. */
export const COOKIES = defineDocument({
  name: 'cookies',
  object: 'cookies',
  event: 'CookiesPublished',
  title: 'list of cookies',
  contradictions: ({ defaultLocale, cookies }: CookiesDefinition, around) => {
    const found: { path: string; message: string }[] = [];
    const say: Say = (path, message) => void found.push({ path, message });
    twice(
      cookies.map((cookie, c) => [`cookies[${c}].name`, placeOf(cookie)] as const),
      say,
    );
    cookies.forEach((cookie, c) => ofCookie(cookie, `cookies[${c}]`, around, say));
    untranslated(
      defaultLocale,
      cookies.map(({ description }, c) => [`cookies[${c}].description`, description] as const),
      'list of cookies',
      say,
    );
    return found;
  },
  /** `cookies._stat`, with domain, path and technology where they are not the default. */
  partsOf: ({ defaultLocale, cookies }) => [
    ['defaultLocale', defaultLocale],
    ...cookies.map((cookie) => [`cookies.${placeOf(cookie)}`, canonicalJson(cookie)] as const),
  ],
});

/** Distinguishes cookies of one name. */
const placeOf = ({ name, domain, path = '/', technology }: Cookie): string =>
  [
    name,
    domain === null ? '' : ` (${domain})`,
    path === '/' ? '' : ` ${path}`,
    technology === 'COOKIE' ? '' : ` ${technology}`,
  ].join('');

function ofCookie(cookie: Cookie, at: string, around: Surroundings, say: Say): void {
  const { name, match, technology, path, category, purposeKeys, vendor, duration, maxAgeSeconds } = cookie;
  if (match === 'GLOB' && !name.includes('*')) say(`${at}.name`, 'must hold a * where match is GLOB');
  if (match === 'EXACT' && name.includes('*')) say(`${at}.match`, 'must be GLOB where the name holds a *');
  if (technology !== 'COOKIE' && path !== undefined) say(`${at}.path`, `must be left out of ${technology}`);
  if (duration === 'SESSION' && maxAgeSeconds !== null)
    say(`${at}.maxAgeSeconds`, 'must be left out where the duration is SESSION');
  if (technology === 'SESSION_STORAGE' && duration !== 'SESSION')
    say(`${at}.duration`, 'must be SESSION of SESSION_STORAGE');
  unknownPurposes(purposeKeys, `${at}.purposeKeys`, around, say);
  // Otherwise a list could call a cookie necessary although people can refuse its purpose.
  const served = purposeKeys.flatMap((key) => around.purposeOf(key) ?? []);
  if (category === 'NECESSARY' && served.length > 0 && served.every((purpose) => purpose.category !== 'NECESSARY'))
    say(`${at}.category`, 'cannot be NECESSARY: none of its purposes is');
  if (vendor !== null) unknownVendors([vendor], () => `${at}.vendor`, around, say);
}
