import { html, NOTHING, type Html } from './html.js';
import type { Language } from './languages.js';
import { LINK_WORDS } from './texts.js';

/** A colour and what stands on it, both `#rrggbb`. */
export interface Accent {
  color: string;
  text: string;
}

/** A picture that stands in a page. Sizes in pixels. */
export interface ShownLogo {
  mediaType: string;
  /** Base64. */
  content: string;
  width: number;
  height: number;
}

/** How a site shows itself to one reader, in one language. */
export interface ShownBrand {
  name: string;
  logo: ShownLogo | null;
  /** By colour scheme; null: the colour of the service. */
  accent: { light: Accent; dark: Accent } | null;
  imprintUrl: string | null;
  privacyUrl: string | null;
}

export interface PageLink {
  label: string;
  url: string;
}

/** Who runs the site, and what it does with data: those of the two addresses that the site has named. */
export const linksOf = ({ imprintUrl, privacyUrl }: ShownBrand, language: Language): PageLink[] => [
  ...(imprintUrl === null ? [] : [{ label: LINK_WORDS[language].imprint, url: imprintUrl }]),
  ...(privacyUrl === null ? [] : [{ label: LINK_WORDS[language].privacy, url: privacyUrl }]),
];

/**
 * The head of a page of a site. The name stands beside the logo in letters, so that the logo itself says nothing more to a
 * reader who cannot see it.
 */
export function brandHeader({ name, logo }: Pick<ShownBrand, 'name' | 'logo'>, beside: Html = NOTHING): Html {
  const picture =
    logo &&
    html`<img src="data:${logo.mediaType};base64,${logo.content}" width="${logo.width}" height="${logo.height}" alt="">
`;
  return html`<header>
${picture}<p><bdi>${name}</bdi></p>${beside}
</header>
`;
}

/** Links at the foot of a page as a list; nothing where there are none. */
export const linkList = (links: readonly PageLink[]): Html =>
  links.length === 0
    ? NOTHING
    : html`<ul>${links.map(({ label, url }) => html`<li><a href="${url}" rel="noreferrer">${label}</a></li>`)}</ul>`;
