import { html, trusted, type Html, type HtmlValue } from './html.js';
import { directionOf } from './languages.js';
import { sourceOf } from './style.js';

/** A page as it is answered. */
export interface ShownPage {
  html: string;
  /** Content-Security-Policy. */
  csp: string;
  /** BCP 47. */
  language: string;
  /**
   * What a browser says of the page to what it leads to. Nothing, where absent. `same-origin`: where forms are checked for
   * the page that they come from, since with less browsers do not tell this service either.
   */
  referrer?: 'no-referrer' | 'same-origin';
}

/** What stands before the body of a page. */
export interface PageHead {
  /** BCP 47. */
  language: string;
  /** As a browser shows it on a tab. */
  title: string;
  /** A style sheet that stands in the page. */
  style?: string;
  /** Further elements of the head, each with a line break behind it. */
  head?: HtmlValue;
  /** Whether search engines may list the page. */
  isListed?: boolean;
  /** Whether the body says the language once more, for mail programs, which drop the element around it. */
  isMail?: boolean;
}

/** A page up to what its body holds. For pages that are written part by part; PAGE_END follows. */
export function pageBegin({ language, title, style, head, isListed = false, isMail = false }: PageHead): Html {
  const spoken = html` lang="${language}" dir="${directionOf(language)}"`;
  return html`<!doctype html>
<html${spoken}>
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
${!isListed && html`<meta name="robots" content="noindex">\n`}${head}${style !== undefined && html`<style>${trusted(style)}</style>\n`}</head>
<body${isMail && spoken}>
`;
}

export const PAGE_END = html`</body>
</html>
`;

/** The frame of every page and mail: document type, language and direction, title, style. */
export const pageOf = (head: PageHead, body: Html): string => `${pageBegin(head)}${body}${PAGE_END}`;

/** What a page may load, run and lead to, beside its own style sheet. Nothing, where it does not say so. */
export interface PageRights {
  /** The style sheet that stands in the page. */
  style: string;
  /** Scripts that stand in the page. */
  scripts?: readonly string[];
  /** Whether scripts may ask this service. */
  connects?: boolean;
  /** Whether a picture stands in the page; no host is named, and none is asked. */
  hasPicture?: boolean;
  /** Where forms may lead and what answers them may lead on to; `'self'` is this service. */
  forms?: readonly string[];
  /** Where frames of the page may come from. */
  frames?: readonly string[];
  /** Pages that may frame this one. */
  ancestors?: readonly string[];
}

/** The Content-Security-Policy of a page. */
export function policyOf(rights: PageRights): string {
  const { style, scripts = [], connects = false, hasPicture = false, forms = [], frames = [], ancestors = [] } = rights;
  const listed = (sources: readonly string[]): string => (sources.length === 0 ? "'none'" : sources.join(' '));
  return [
    "default-src 'none'",
    `style-src ${sourceOf(style)}`,
    ...(scripts.length > 0 ? [`script-src ${scripts.map(sourceOf).join(' ')}`] : []),
    ...(connects ? ["connect-src 'self'"] : []),
    ...(hasPicture ? ['img-src data:'] : []),
    ...(frames.length > 0 ? [`frame-src ${frames.join(' ')}`] : []),
    `form-action ${listed(forms)}`,
    "base-uri 'none'",
    `frame-ancestors ${listed(ancestors)}`,
  ].join('; ');
}
