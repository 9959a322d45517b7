import { GUIDES, listedPages, pageGroups, type ListedPage } from './guide-files.js';
import { hashOf } from './made-once.js';
import { ICON_SVG } from './icon.js';
import { pageOf, type ShownPage } from '../../pages/frame.js';
import { html, joined, NOTHING, trusted, type Html, type HtmlValue } from '../../pages/html.js';
import { pageHeaders } from '../../pages/send.js';
import { compact } from '../../pages/style.js';
import { SITE_SCRIPT } from './site-script.js';
import { textBeside } from '../../engines/text-beside.js';

/** Where a text is searched for, as a page and as the index that a script reads. */
export const SEARCH = '/docs/search';
export const SEARCH_INDEX = '/docs/search/index.json';
/** Characters of what is searched for. */
export const QUERY_LENGTH_MAX = 100;

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

/** A field that filters what the page marks with `data-filtered`. It is shown where the script of the page runs. */
export const filter = (label: string): Html =>
  html`<label class="filter" hidden>${label}<input type="search" autocomplete="off"><span role="status" class="soft"></span></label>`;

/** A part of a page, to which its address can lead. */
export interface Part {
  id: string;
  title: string;
}

export interface DocsPage {
  title: string;
  /** Path before `/docs`, where the service is published below one; without a slash at its end. See prefixOf. */
  prefix: string;
  /**
   * Address of the page below the prefix: the navigation shows by it where the reader is. Absent for a page that stands
   * alone, such as an error: it has no navigation, no search and no script.
   */
  at?: string;
  /** What stands in the heading of the page. */
  heading: HtmlValue;
  /** What leads to parts of the page, where it has several. */
  parts?: readonly Part[];
  main: Html;
  /** What was searched for. */
  query?: string;
  /** Whether lines may be as long as the window lets them: for pages of tables. */
  isBroad?: boolean;
  /** Whether the page draws itself, without the style of prose and without navigation at its side. */
  isOwnDrawing?: boolean;
  /** Further elements of the head, such as a script of our own. */
  head?: Html;
}

/** What leads to the parts of the documentation, on every page. */
const LINKS = [
  [GUIDES, 'Guides'],
  ['/docs/reference', 'Reference'],
  ['/docs/errors', 'Errors'],
  ['/docs/policy', 'Law by place'],
  ['/docs', 'Try it'],
] as const;

/** Fewer parts than these need no list of their own. */
const PARTS_MIN = 3;

/** The path under which a service is published, without a slash at its end; empty where it has an address of its own. */
export const prefixOf = (publicUrl: string): string => new URL(publicUrl).pathname.replace(/\/$/, '');

/** Nothing may be loaded from elsewhere, nothing stands in a page that runs, and no other site may frame it. */
export const DOCS_CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
/** The same for a page that runs nothing and asks for nothing. */
const ALONE_CSP =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** A page in this frame that is about this moment, as it is answered. */
export function momentaryPage(page: DocsPage): { html: string; headers: ReturnType<typeof pageHeaders> } {
  const csp = page.at === undefined ? ALONE_CSP : DOCS_CSP;
  const shown: ShownPage = { html: docsPage(page), csp, language: 'en' };
  return { html: shown.html, headers: pageHeaders(shown) };
}

/** The frame of every page about the service: landmarks, a skip link, one style sheet, nothing from elsewhere. */
export function docsPage(page: DocsPage): string {
  const { title, prefix, at, heading, parts = [], main, isBroad, isOwnDrawing, query, head } = page;
  const asset = (name: string, text: string): string => `${prefix}/docs/assets/${name}?v=${hashOf(text)}`;
  const hasPages = at !== undefined && !isOwnDrawing;
  const hasParts = parts.length >= PARTS_MIN;
  const script = at !== undefined && html`<script defer src="${asset('site.js', SITE_SCRIPT)}"></script>\n`;
  return pageOf(
    {
      language: 'en',
      title,
      isListed: true,
      head: html`<meta name="color-scheme" content="light dark">
<link rel="icon" href="${asset('icon.svg', ICON_SVG)}" type="image/svg+xml">
${head}<link rel="stylesheet" href="${asset('pages.css', DOCS_STYLE)}">
${script}`,
    },
    html`<header class="bar"><a class="skip" href="#main">Skip to content</a>
${bar(prefix, at, query)}</header>
<div class="frame${hasPages && ' with-pages'}">
${hasPages && pageList(prefix, at)}<main id="main" tabindex="-1" class="${isOwnDrawing ? '' : 'plain'}${hasParts && ' with-toc'}">
<h1>${heading}</h1>
${hasParts && partList(parts)}<div class="text${isBroad && ' broad'}">
${main}
</div>
${at !== undefined && turns(prefix, at)}</main>
</div>
<footer><p>Served by this installation; nothing on this page is loaded from elsewhere.</p></footer>
`,
  );
}

/** The longest address of the bar that the page is at or below. */
const linkOf = (at: string): string | undefined =>
  LINKS.map(([path]) => path)
    .filter((path) => at === path || (path !== '/docs' && at.startsWith(`${path}/`)))
    .at(0);

function bar(prefix: string, at: string | undefined, query = ''): Html {
  const current = at === undefined ? undefined : linkOf(at);
  const links = LINKS.map(
    ([path, label]) =>
      html`<li><a href="${prefix}${path}"${path === current && html` aria-current="${at === path ? 'page' : 'true'}"`}>${label}</a></li>`,
  );
  const search =
    at !== undefined &&
    html`<form class="search" role="search" action="${prefix}${SEARCH}" data-index="${prefix}${SEARCH_INDEX}" data-prefix="${prefix}">
<input type="search" name="q" aria-label="Search the documentation" placeholder="Search" autocomplete="off" maxlength="${QUERY_LENGTH_MAX}" value="${query}" required>
<button>Search</button>
</form>
`;
  return html`<a class="home" href="${prefix}/">Assent</a>
<nav aria-label="Documentation"><ul>${links}<li><a href="${prefix}/openapi.json">OpenAPI</a></li></ul></nav>
${search}`;
}

/** All pages by the kind of reader; the group of the page that is read is open. */
function pageList(prefix: string, at: string): Html {
  const isAt = (address: string): boolean => at === address || at.startsWith(`${address}/`);
  const link = ({ title, address }: Pick<ListedPage, 'title' | 'address'>): Html =>
    html`<li><a href="${prefix}${address}"${isAt(address) && html` aria-current="${address === at ? 'page' : 'true'}"`}>${title}</a></li>`;
  const lists = pageGroups().map(
    ({ title, pages }) =>
      html`<details class="group"${pages.some(({ address }) => isAt(address)) && html` open`}><summary>${title}</summary><ul>${pages.map(link)}</ul></details>\n`,
  );
  return html`<nav class="pages" aria-label="All pages"><details class="fold"><summary>All pages</summary><div class="groups">
${lists}</div></details></nav>
`;
}

const partList = (parts: readonly Part[]): Html =>
  html`<nav class="toc" aria-label="On this page"><details class="fold"><summary>On this page</summary><ul>
${parts.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}
</ul></details></nav>
`;

/** To the pages before and behind this one; nothing for a page that is not in the list. */
function turns(prefix: string, at: string): Html {
  const all = listedPages();
  const place = at === GUIDES ? -1 : all.findIndex(({ address }) => address === at);
  if (place === -1 && at !== GUIDES) return NOTHING;
  const turn = (page: ListedPage | undefined, rel: string, label: string): Html | false =>
    page !== undefined &&
    html`<a rel="${rel}" href="${prefix}${page.address}"><small>${label}</small>${page.title}</a>\n`;
  return html`<nav class="turn" aria-label="Before and after">
${turn(all[place - 1], 'prev', 'Before')}${turn(all[place + 1], 'next', 'After')}</nav>
`;
}

export const DOCS_STYLE = compact(textBeside(import.meta.url, './pages.css'));
