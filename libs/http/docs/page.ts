import { hashOf } from './made-once.js';
import { ICON_SVG } from './icon.js';
import { pageOf, type ShownPage } from '../../pages/frame.js';
import { html, joined, trusted, type Html } from '../../pages/html.js';
import { pageHeaders } from '../../pages/send.js';
import { compact, withColours } from '../../pages/style.js';
import { textBeside } from '../../engines/text-beside.js';

/** The little Markdown that descriptions use: code in backticks, links, paragraphs. */
export const inline = (text: string): Html =>
  trusted(
    html`${text}`
      .toString()
      .replace(/`([^`]+)`/g, '<code>$1</code>')
      .replace(/\[([^\]]+)\]\(((?:https?:\/\/|\/)[^)\s]+)\)/g, '<a href="$2">$1</a>'),
  );
export const paragraphs = (text: string): Html =>
  joined(
    text.split(/\n{2,}/).map((part) => html`<p>${inline(part)}</p>`),
    '\n',
  );

export interface DocsPage {
  title: string;
  /** Path before `/docs`, where the service is published below one; without a slash at its end. See prefixOf. */
  prefix: string;
  /** The one of the links at the top that leads to this page; absent where none does. */
  current?: keyof typeof LINKS;
  main: Html;
  /** Further elements of the head, such as a script of our own. */
  head?: Html;
}

const LINKS = {
  docs: ['/docs', 'Try it'],
  guides: ['/docs/guides', 'Guides'],
  reference: ['/docs/reference', 'Reference'],
  errors: ['/docs/errors', 'Errors'],
} as const;

/** The path under which a service is published, without a slash at its end; empty where it has an address of its own. */
export const prefixOf = (publicUrl: string): string => new URL(publicUrl).pathname.replace(/\/$/, '');

/** Nothing may be loaded from elsewhere, nothing runs, no other site frames it. */
const CSP =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** A page in this frame that is about this moment, as it is answered. */
export function momentaryPage(page: DocsPage): { html: string; headers: ReturnType<typeof pageHeaders> } {
  const shown: ShownPage = { html: docsPage(page), csp: CSP, language: 'en' };
  return { html: shown.html, headers: pageHeaders(shown) };
}

/** The frame of every page about the service: landmarks, a skip link, one style sheet, nothing from elsewhere. */
export function docsPage({ title, prefix, current, main, head }: DocsPage): string {
  const links = Object.entries(LINKS).map(
    ([name, [path, label]]) =>
      html`<li><a href="${prefix}${path}"${name === current && html` aria-current="page"`}>${label}</a></li>`,
  );
  return pageOf(
    {
      language: 'en',
      title,
      isListed: true,
      head: html`<meta name="color-scheme" content="light dark">
<link rel="icon" href="${prefix}/docs/assets/icon.svg?v=${hashOf(ICON_SVG)}" type="image/svg+xml">
${head}<link rel="stylesheet" href="${prefix}/docs/assets/pages.css?v=${hashOf(DOCS_STYLE)}">
`,
    },
    html`<header><a class="skip" href="#main">Skip to content</a>
<a class="home" href="${prefix}/">Assent</a>
<nav aria-label="Documentation"><ul>${links}<li><a href="${prefix}/openapi.json">OpenAPI</a></li></ul></nav>
</header>
<main id="main" tabindex="-1"${current !== 'docs' && html` class="plain"`}>
${main}
</main>
<footer><p>Served by this installation; nothing on this page is loaded from elsewhere.</p></footer>
`,
  );
}

/** Beside the style of every page, for pages of prose and tables. */
export const GUIDE_STYLE = compact(textBeside(import.meta.url, './guides.css'));
/** The element that loads it. */
export const guideStyle = (prefix: string): Html =>
  html`<link rel="stylesheet" href="${prefix}/docs/assets/guides.css?v=${hashOf(GUIDE_STYLE)}">
`;

export const DOCS_STYLE = withColours(textBeside(import.meta.url, './pages.css'));
