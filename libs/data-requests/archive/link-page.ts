import { createHash } from 'node:crypto';
import { acceptedLocales } from '../../pages/locale.js';
import { directionOf, languageOf, type Language } from '../../pages/languages.js';
import { fill } from '../../pages/fill.js';
import type { ShownBrand } from '../../pages/brand.js';
import { COLOURS, escapeHtml } from '../../http/docs/page.js';
import { isForm } from '../../http/contract/body.js';
import type { ErrorPage } from '../../http/errors/errors.js';
import type { FetchableArchive } from './archive-links.js';
import { accentOf, headerOf } from './archive-page.js';
import { ARCHIVE_WORDS, type ArchiveWords } from './texts/words.js';
import { dayAndSecond } from '../../pages/dates.js';

const PAGES = /^[^?]*\/v1\/archive\/?(\?|$)/;

const STYLE = `${COLOURS}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;background:var(--ground);color:var(--text);font:1.0625rem/1.6 system-ui,sans-serif;text-align:start}
header,main{max-width:34rem;margin-inline:auto;overflow-wrap:anywhere}
header{display:flex;flex-wrap:wrap;align-items:center;gap:.6rem 1rem;padding:1rem 1.25rem;border-bottom:3px solid var(--mark)}
header p{margin:0;font-weight:600}
img{display:block;width:auto;height:auto;max-width:min(100%,15rem);max-height:4.5rem;padding:.25rem;border-radius:6px;background:#fff;forced-color-adjust:none}
main{padding:clamp(1.5rem,8vh,5rem) 1.25rem 1rem}
h1{margin:0 0 1rem;font-size:1.6rem;line-height:1.3}
p{margin:0 0 1rem}
button{min-height:3rem;max-width:100%;padding:.7rem 1.5rem;border:2px solid transparent;border-radius:8px;background:var(--mark);color:var(--on-mark,var(--ground));font:inherit;font-weight:600;cursor:pointer}
button:hover{text-decoration:underline}
button:focus-visible{outline:3px solid var(--text);outline-offset:3px}`;
/** The one picture is part of the page: no host is named, and none is asked. */
const cspOf = (style: string, brand: ShownBrand | null): string =>
  `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'${brand?.logo ? '; img-src data:' : ''}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

/** A page as it is answered: kept by nobody, found by nobody, telling the next site nothing. */
export interface LinkPage {
  html: string;
  headers: Record<string, string | number>;
}

/** What stands behind a link that is good: what is there, and one button that fetches it. */
export function linkPage(token: string, { language, expiresAt }: FetchableArchive, brand: ShownBrand | null): LinkPage {
  const { link }: ArchiveWords = ARCHIVE_WORDS[language];
  const text = fill(link.text, { time: dayAndSecond(expiresAt, language) });
  const form = `<form method="post"><input type="hidden" name="token" value="${escapeHtml(token)}"><button type="submit">${escapeHtml(link.button)}</button></form>`;
  return framed(language, { title: link.title, main: `<p>${escapeHtml(text)}</p>\n${form}`, brand });
}

const WORDS_OF_ERRORS: Readonly<Record<string, keyof ArchiveWords['link']>> = {
  token_used: 'used',
  token_expired: 'expired',
  token_invalid: 'invalid',
  subject_erased: 'expired',
};

/** The error as a page, where a person in a browser is waiting for one; null: it is answered as JSON. For the ErrorFilter. */
export const errorPage: ErrorPage = (request, code) => {
  const byPerson =
    request.method === 'GET' || request.method === 'HEAD' || (request.method === 'POST' && isForm(request));
  if (!byPerson || !PAGES.test(request.originalUrl ?? request.url ?? '')) return null;
  const language = languageOf(acceptedLocales(request.headers['accept-language']));
  const { link }: ArchiveWords = ARCHIVE_WORDS[language];
  return framed(language, { title: link[WORDS_OF_ERRORS[code] ?? 'failed'], main: '', brand: null });
};

interface Framed {
  title: string;
  /** HTML. */
  main: string;
  brand: ShownBrand | null;
}

function framed(language: Language, { title, main, brand }: Framed): LinkPage {
  const style = STYLE + accentOf(brand);
  const html = `<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<title>${escapeHtml(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<style>${style}</style>
</head>
<body>
${headerOf(brand)}<main>
<h1>${escapeHtml(title)}</h1>
${main}
</main>
</body>
</html>
`;
  return {
    html,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Length': Buffer.byteLength(html),
      'Content-Language': language,
      'Content-Security-Policy': cspOf(style, brand),
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      'X-Robots-Tag': 'noindex',
      'X-Content-Type-Options': 'nosniff',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
    },
  };
}
