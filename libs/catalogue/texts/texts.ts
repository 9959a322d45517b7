/** One text by language. */
export type Texts = Readonly<Record<string, string>>;

/** Says what is wrong at a place. */
export type Say = (path: string, message: string) => void;

/** Every text has to be there in every language that one of them has: half a page in another language helps nobody. */
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

/** Names that stand more than once. */
export function twice(named: readonly (readonly [path: string, name: string])[], say: Say): void {
  const seen = new Set<string>();
  for (const [path, name] of named) {
    if (seen.has(name)) say(path, 'stands twice');
    seen.add(name);
  }
}
