/** One text by language. */
export type Texts = Readonly<Record<string, string>>;

/** Reports a problem at a place. */
export type Say = (path: string, message: string) => void;

/** Reports texts that lack a language which another one has: a page half in another language is of no use. */
export function untranslated(
  defaultLocale: string,
  texts: readonly (readonly [path: string, text: Texts])[],
  of: string,
  say: Say,
): void {
  const locales = new Set([defaultLocale, ...texts.flatMap(([, text]) => Object.keys(text))]);
  for (const [path, text] of texts)
    for (const locale of locales)
      if (!Object.hasOwn(text, locale))
        say(
          path,
          locale === defaultLocale
            ? 'lacks the default locale'
            : `lacks the language ${locale}, which other texts of the ${of} have`,
        );
}

/** Reports names that occur more than once. */
export function twice(named: readonly (readonly [path: string, name: string])[], say: Say): void {
  const seen = new Set<string>();
  for (const [path, name] of named) {
    if (seen.has(name)) say(path, 'stands twice');
    seen.add(name);
  }
}
