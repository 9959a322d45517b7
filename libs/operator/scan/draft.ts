import type { PurposeCategory } from '../../kernel/index.js';
import { fileText } from '../../catalogue/services.js';
import { REQUESTS } from './consent-tools.js';
import { fitsGlob } from './glob.js';
import type { CookiesFile, JudgedThing, ListedEntry } from './sighting.js';

/** A purpose of the catalogue that entries can serve. */
export interface ServedPurpose {
  key: string;
  category: PurposeCategory;
}

/** What widespread names serve. A guess for the draft only: nothing is judged by it. */
const USUAL: readonly [PurposeCategory, readonly string[]][] = [
  ['NECESSARY', ['PHPSESSID', 'JSESSIONID', 'ASP.NET_SessionId', 'session*', '*csrf*', 'XSRF-TOKEN', '__cf_bm']],
  ['ANALYTICS', ['_ga*', '_gid', '_gat*', '_pk_*', '_hj*', '_clck', '_clsk', 'mtm_*', 'amplitude*', 'ajs_*', '_stat*']],
  ['MARKETING', ['_fbp', '_fbc', 'fr', '_gcl_*', 'IDE', '__gads', '_uet*', '_tt*', 'li_*', '_ads*']],
];

/** Where no catalogue says otherwise. */
const ASSUMED: readonly ServedPurpose[] = [
  { key: 'necessary', category: 'NECESSARY' },
  { key: 'analytics', category: 'ANALYTICS' },
  { key: 'marketing', category: 'MARKETING' },
];

/**
 * A `cookies.yaml` of the list as it is, and of all that was seen and is not in it. Category and purposes of what is new
 * are guesses, which the head of the file says. `purposes`: of the catalogue; empty: those of the demo are assumed.
 */
export function draftedList(
  things: readonly JudgedThing[],
  list: CookiesFile | null,
  purposes: readonly ServedPurpose[],
): { text: string; added: number } {
  const known = list?.cookies ?? [];
  const locales = known[0] ? Object.keys(known[0].description) : [list?.defaultLocale ?? 'en'];
  const added = new Map<string, ListedEntry>();
  for (const thing of things)
    if (thing.tool === null && thing.category === null) {
      const entry = entryFor(thing, purposes.length > 0 ? purposes : ASSUMED, locales);
      added.set([entry.name, entry.technology ?? '', entry.domain ?? ''].join(' '), entry);
    }
  const cookies = [...known, ...added.values()];
  const names = [...added.values()].map(({ name }) => name.replace(/[^\x20-\x7e]/g, '?'));
  const head = [
    '# Drafted by assent scan. Of what is new, category, purposes and description are guesses. Look at each:',
    ...(names.length > 0 ? names.map((name) => `# - ${name}`) : ['# nothing is new']),
  ];
  return {
    text: `${head.join('\n')}\n${fileText({ defaultLocale: list?.defaultLocale ?? 'en', cookies })}`,
    added: added.size,
  };
}

function entryFor(thing: JudgedThing, purposes: readonly ServedPurpose[], locales: readonly string[]): ListedEntry {
  const { technology, party, domain, maxAgeSeconds } = thing;
  const isRequest = REQUESTS.has(technology);
  // An id inside a name is another one on the next device.
  const name = isRequest ? thing.name : thing.name.replace(/[0-9a-f]{8,}(-[0-9a-f]{4,})*|\d{5,}/gi, '*');
  const { category, key } = purposeFor(thing, purposes);
  const stays = technology === 'LOCAL_STORAGE' || technology === 'INDEXED_DB' || technology === 'CACHE_STORAGE';
  const [by] = thing.by;
  const text = `Found by a scan${by ? `, from ${by.url}` : ''}. Say here what it is for.`.slice(0, 1000);
  return {
    name,
    ...(name.includes('*') && { match: 'GLOB' }),
    ...(technology !== 'COOKIE' && { technology }),
    ...(party === 'THIRD' && { domain, party }),
    ...(thing.path !== null && thing.path !== '/' && { path: thing.path }),
    category,
    purposeKeys: [key],
    ...(stays && { duration: 'PERSISTENT' }),
    ...(maxAgeSeconds !== null && { maxAgeSeconds: inMinutes(maxAgeSeconds) }),
    description: Object.fromEntries(locales.map((locale) => [locale, text])),
  };
}

/** A purpose of the category that the name usually serves, else one that asks for consent. */
function purposeFor({ name, party }: JudgedThing, purposes: readonly ServedPurpose[]): ServedPurpose {
  const usual = USUAL.find(([, names]) => names.some((each) => fitsGlob(each, name)))?.[0];
  const guess = usual ?? (party === 'THIRD' ? 'MARKETING' : 'ANALYTICS');
  return (
    purposes.find(({ category }) => category === guess) ??
    purposes.find(({ category }) => category !== 'NECESSARY') ??
    purposes[0]!
  );
}

/** A cookie was seen a moment after it was set. */
const inMinutes = (seconds: number): number => (seconds < 120 ? seconds : Math.ceil(seconds / 60) * 60);
