import { COUNTRY_CODES } from '../../kernel/index.js';
import type { Language } from '../../pages/languages.js';

export interface NamedCode {
  code: string;
  name: string;
}

/** What a country is called; its code where it has no name. */
export const countryName = (code: string, language: Language): string =>
  nameOf(new Intl.DisplayNames([language], { type: 'region' }), code);

/** What a language is called; its tag where it has no name. */
export const languageName = (tag: string, language: Language): string =>
  nameOf(new Intl.DisplayNames([language], { type: 'language' }), tag);

const countries = new Map<Language, readonly NamedCode[]>();

/** All countries, in the order in which one looks for them. */
export function countriesIn(language: Language): readonly NamedCode[] {
  let known = countries.get(language);
  if (!known) {
    const names = new Intl.DisplayNames([language], { type: 'region' });
    known = sorted(
      [...COUNTRY_CODES].map((code) => ({ code, name: nameOf(names, code) })),
      language,
    );
    countries.set(language, known);
  }
  return known;
}

export const languagesNamed = (tags: readonly string[], language: Language): readonly NamedCode[] =>
  sorted(
    tags.map((code) => ({ code, name: languageName(code, language) })),
    language,
  );

function sorted(codes: NamedCode[], language: Language): NamedCode[] {
  const { compare } = new Intl.Collator(language);
  return codes.sort((a, b) => compare(a.name, b.name));
}

function nameOf(names: Intl.DisplayNames, code: string): string {
  try {
    return names.of(code) ?? code;
  } catch {
    // A tag that only looks like one.
    return code;
  }
}
