import { createHash } from 'node:crypto';
import type { ShownBrand } from './brand.js';
import { textBeside } from '../engines/text-beside.js';

/** A style sheet as it is served: without comments and without the white space that is for its authors. */
export const compact = (css: string): string =>
  css
    .replace(/\/\*[^]*?\*\/\s*/g, '')
    .replace(/\s*\n\s*/g, ' ')
    .replace(/ ?([{};,]) ?/g, '$1')
    .replace(/([{;(][\w-]+): /g, '$1:')
    .replace(/;\}/g, '}')
    .trim();

/** The colours of every page: text, small print and links keep a contrast of at least 4.5:1 on both grounds, in both schemes. */
export const PAGE_COLOURS = compact(textBeside(import.meta.url, './colours.css'));

/** The style sheet of a page: the colours of every page, and what its own file says. */
export const withColours = (css: string): string => PAGE_COLOURS + compact(css);

const FRAME = compact(textBeside(import.meta.url, './frame.css'));

/** The style sheet of a page in the name of a site: what all of these share, and what its own file says. */
export const withFrame = (css = ''): string => PAGE_COLOURS + FRAME + compact(css);

/**
 * A style sheet with the colours of one site behind it, which were checked for contrast when they were set. A page draws with
 * `--accent` what carries the colour of the site, and with `--on-accent` what stands on that.
 */
export const inColoursOf = (brand: Pick<ShownBrand, 'accent'> | null, css: string): string => {
  if (!brand?.accent) return css;
  const { light, dark } = brand.accent;
  return `${css}:root{--accent:${light.color};--on-accent:${light.text}}@media (prefers-color-scheme:dark){:root{--accent:${dark.color};--on-accent:${dark.text}}}`;
};

/** The hash of a style sheet or a script that stands in a page, as a Content-Security-Policy names it. */
export const sourceOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
