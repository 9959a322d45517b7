import { didYouMean } from '../../kernel/index.js';

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
    // Of codes that stand for another one, such as UK, that one is meant.
    const { region = code } = new Intl.Locale(`und-${code}`);
    codes.set(name, region).set(code, region);
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

/** A field that holds a country, ISO 3166-1 alpha-2. */
export const COUNTRY = { maxLength: 2, pattern: '^[A-Z]{2}$', patternHint: 'two upper-case letters', meant } as const;
