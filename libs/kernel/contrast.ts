/** Grounds of the pages that carry a site's colour, as in libs/pages/colours.css. */
export const PAGE_GROUNDS = { light: '#ffffff', dark: '#14171b' } as const;
/** Colours of text on a site's colour. On any colour one of the two has a contrast of 4.5:1 or more. */
const ON_COLOUR = ['#ffffff', '#000000'] as const;

/** WCAG 2.2, 1.4.3: text that is not large. */
export const TEXT_CONTRAST_MIN = 4.5;
/** WCAG 2.2, 1.4.11: what tells a button from the page. */
export const SHAPE_CONTRAST_MIN = 3;

type Channels = readonly [red: number, green: number, blue: number];

const channelsOf = (colour: string): Channels =>
  [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)) as unknown as Channels;
const colourOf = (channels: Channels): string =>
  `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;

/** Relative luminance of `#rrggbb`, by the definition in WCAG 2.2. */
function luminance(colour: string): number {
  const [red, green, blue] = channelsOf(colour)
    .map((channel) => channel / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)) as unknown as Channels;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast ratio of two colours `#rrggbb` by WCAG 2.2, from 1 to 21. */
export function contrast(a: string, b: string): number {
  const [lighter, darker] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

/** White or black, whichever is read better on a colour. */
export const textOn = (colour: string): string =>
  contrast(ON_COLOUR[0], colour) >= contrast(ON_COLOUR[1], colour) ? ON_COLOUR[0] : ON_COLOUR[1];

/** The shade nearest to a colour, towards black or white, that has at least this contrast to a ground. */
export function nearestShade(colour: string, ground: string, least: number): string {
  const channels = channelsOf(colour);
  for (let step = 0; step <= 255; step++) {
    for (const end of [0, 255]) {
      const shade = channels.map((channel) => Math.round(channel + ((end - channel) * step) / 255));
      const candidate = colourOf(shade as unknown as Channels);
      if (contrast(candidate, ground) >= least) return candidate;
    }
  }
  return textOn(ground);
}
