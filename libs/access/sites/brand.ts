import { ONE_LINE, webAddress, type Issue } from '../../kernel/index.js';
import { contrast, nearestShade, PAGE_GROUNDS, SHAPE_CONTRAST_MIN } from '../../kernel/contrast.js';

/** Texts and addresses of a brand: by BCP 47 tag. */
export type ByLanguage = Readonly<Record<string, string>>;

export const AFTER_CONFIRMING = ['REDIRECT', 'PAGE'] as const;

/** The look of a site on the service's pages and in its mails. */
export interface Brand {
  /** Empty: the name of the site. */
  displayName: ByLanguage;
  /** `#rrggbb`; null: the colour of the service. */
  accentColor: string | null;
  /** The same on dark pages; null: accentColor. */
  accentColorDark: string | null;
  /** Where the browser goes after a confirmation: to the site, or to a page of the service that offers an undo. */
  afterConfirming: (typeof AFTER_CONFIRMING)[number];
  /** Page that names the operator of the site (in Germany § 5 DDG). Empty: no link. */
  imprintUrl: ByLanguage;
  privacyUrl: ByLanguage;
}

export const NO_BRAND: Brand = {
  displayName: {},
  accentColor: null,
  accentColorDark: null,
  afterConfirming: 'REDIRECT',
  imprintUrl: {},
  privacyUrl: {},
};

/** A change. A field that is left out keeps its value; null resets it. */
export type BrandChange = { [Name in keyof Brand]?: Brand[Name] | null };

/** The brand after a change. Colours are stored in lower case. */
export const changedBrand = (brand: Brand, change: BrandChange): Brand => ({
  ...brand,
  ...Object.fromEntries(
    Object.entries(change).map(([name, value]) => [
      name,
      typeof value === 'string' && value.startsWith('#')
        ? value.toLowerCase()
        : (value ?? NO_BRAND[name as keyof Brand]),
    ]),
  ),
});

const NAME_LENGTH_MAX = 200;
const LANGUAGES_MAX = 100;
const COLOUR = /^#[0-9a-f]{6}$/;

/** What makes a brand unusable, by field. */
export function issuesOfBrand(brand: Brand): Issue[] {
  return [
    ...byLanguage('displayName', brand.displayName, (name) =>
      name.trim().length >= 1 && name.length <= NAME_LENGTH_MAX && ONE_LINE.test(name)
        ? null
        : `must be one line of 1 to ${NAME_LENGTH_MAX} characters`,
    ),
    ...(['imprintUrl', 'privacyUrl'] as const).flatMap((field) =>
      byLanguage(field, brand[field], (address) =>
        webAddress(address)?.protocol === 'https:'
          ? null
          : 'must be an https address, without user or anything unusual',
      ),
    ),
    ...issuesOfColours(brand),
  ];
}

function byLanguage(field: string, texts: ByLanguage, problemOf: (text: string) => string | null): Issue[] {
  const entries = Object.entries(texts);
  if (entries.length > LANGUAGES_MAX) return [{ path: field, message: `must have at most ${LANGUAGES_MAX} languages` }];
  return entries.flatMap(([language, text]) => {
    const message = problemOf(text);
    return message === null ? [] : [{ path: `${field}.${language}`, message }];
  });
}

/** Each colour needs contrast to its page. Text on it is white or black, one of which is readable on any colour. */
function issuesOfColours({ accentColor, accentColorDark }: Brand): Issue[] {
  const issues: Issue[] = [];
  for (const [path, colour] of Object.entries({ accentColor, accentColorDark }))
    if (colour !== null && !COLOUR.test(colour)) issues.push({ path, message: 'must be a colour such as #0b57b0' });
  if (accentColorDark !== null && accentColor === null)
    issues.push({ path: 'accentColorDark', message: 'is for sites that have an accentColor' });
  if (issues.length > 0 || accentColor === null) return issues;
  const inTheLight = tooWeak(accentColor, 'light');
  const inTheDark = tooWeak(accentColorDark ?? accentColor, 'dark');
  return [
    ...(inTheLight ? [{ path: 'accentColor', message: inTheLight }] : []),
    ...(inTheDark ? [{ path: 'accentColorDark', message: inTheDark }] : []),
  ];
}

function tooWeak(colour: string, scheme: keyof typeof PAGE_GROUNDS): string | null {
  const ground = PAGE_GROUNDS[scheme];
  const ratio = contrast(colour, ground);
  if (ratio >= SHAPE_CONTRAST_MIN) return null;
  // Cut off and not rounded: 2.996 must not read as sufficient.
  const measured = (Math.floor(ratio * 100) / 100).toFixed(2);
  return `must have a contrast of ${SHAPE_CONTRAST_MIN}:1 to the ${scheme} page (${ground}): ${colour} has ${measured}:1; the nearest shade that has it is ${nearestShade(colour, ground, SHAPE_CONTRAST_MIN)}`;
}
