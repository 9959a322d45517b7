import { countryOf, didYouMean, regionOf } from '../kernel/index.js';

/** Codes of countries by their English names and, in lower case, by themselves. Made when the first one is mistyped. */
let codes: Map<string, string> | null = null;

function codesByName(): Map<string, string> {
  if (codes) return codes;
  codes = new Map();
  const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  for (const code of letters.flatMap((first) => letters.map((second) => first + second))) {
    const name = names.of(code);
    if (name === undefined || code === 'ZZ') continue;
    // Some names have two codes, such as UK and GB. A code of no country, such as EU, is never proposed.
    const known = countryOf(code);
    if (known !== null) codes.set(name, known).set(code, known);
  }
  return codes;
}

/** `; did you mean "DE"?` for `de`, `Germany` and `Germny`. */
function meant(value: string): string {
  const known = codesByName();
  const code = known.get(value.trim().toUpperCase());
  if (code) return didYouMean(code, [code]);
  const [, name] =
    /"(.+)"/.exec(
      didYouMean(
        value,
        [...known.keys()].filter((each) => each.length > 2),
      ),
    ) ?? [];
  return name === undefined ? '' : didYouMean(known.get(name)!, [known.get(name)!]);
}

const NO_COUNTRY = 'is no assigned code of ISO 3166-1; leave it out where the country is not known';
/** Callers send EU as a place of law, and it is no country. */
const UNION = 'is the European Union, which is no country: send the member state, such as DE or FR';

/**
 * A field that holds a country, ISO 3166-1 alpha-2. For a code that comes in, `countryOf` gives the country. Answers are
 * not checked with `refuses`, since older records hold codes of no country.
 */
export const COUNTRY = {
  maxLength: 2,
  pattern: '^[A-Z]{2}$',
  patternHint: 'two upper-case letters',
  meant,
  refuses: (code: string): string | null => (countryOf(code) !== null ? null : code === 'EU' ? UNION : NO_COUNTRY),
} as const;

const REGION_PATTERN = '^[A-Z]{2}-[A-Z0-9]{1,3}$';

/** The same of a region, ISO 3166-2, with `regionOf`. */
export const REGION = {
  maxLength: 6,
  pattern: REGION_PATTERN,
  patternHint: 'an ISO 3166-2 code with its country, such as US-CA',
  meant: (value: string): string => {
    const code = value.trim().toUpperCase().replace('_', '-');
    return new RegExp(REGION_PATTERN).test(code) ? didYouMean(code, [code]) : '';
  },
  refuses: (code: string): string | null =>
    regionOf(code) !== null ? null : 'begins with a code that ISO 3166-1 has not assigned to any country',
} as const;
