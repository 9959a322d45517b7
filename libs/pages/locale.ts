/** RFC 4647 section 3.4, "lookup": each wish is shortened from the end until something offered matches. */
export function lookUpLocale(wishes: readonly string[], offered: readonly string[]): string | null {
  const byLowerCase = new Map(offered.map((locale) => [locale.toLowerCase(), locale]));
  for (const wish of wishes) {
    let range = wish.toLowerCase();
    while (range !== '' && range !== '*') {
      const match = byLowerCase.get(range);
      if (match) return match;
      range = shortened(range);
    }
  }
  return null;
}

function shortened(range: string): string {
  const parts = range.split('-').slice(0, -1);
  if (parts.at(-1)?.length === 1) parts.pop();
  return parts.join('-');
}

/** The wishes of an `Accept-Language` header, best first; at most 20 are read, malformed ones are passed over. */
export function acceptedLocales(header: string | undefined): string[] {
  if (header === undefined) return [];
  return header
    .slice(0, 1000)
    .split(',')
    .slice(0, 20)
    .map((part) =>
      /^\s*([A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*|\*)\s*(?:;\s*q=(0(?:\.\d{1,3})?|1(?:\.0{1,3})?)\s*)?$/.exec(part),
    )
    .filter((match) => match !== null)
    .map((match) => ({ range: match[1]!, weight: match[2] === undefined ? 1 : Number(match[2]) }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ range }) => range);
}
