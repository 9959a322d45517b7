import { createHash } from 'node:crypto';
import { COLOURS, escapeHtml } from '../../http/docs/page.js';
import { linksOf, type ShownBrand } from '../../pages/brand.js';
import { directionOf, type Language } from '../../pages/languages.js';
import { fill, named } from '../../pages/fill.js';
import type { PortalWords } from '../texts/words.js';
import { pagesOf, type PortalPage, type PortalPlace } from './place.js';

/** A page as it is answered. */
export interface ShownPage {
  html: string;
  /** Content-Security-Policy. */
  csp: string;
  language: Language;
}

export interface PageShown {
  title: string;
  /** HTML. */
  main: string;
  /** The one of the menu that this is. */
  current?: PortalPage;
  /** What the page does besides, where there is JavaScript; it may ask this service. */
  script?: string;
}

/**
 * A token comes in the fragment, which no server sees: the page takes it out of the address, where history would keep it,
 * into a form, and shows that. The person has to press its button: any other site can lead here with a token of its own,
 * and would sign people in as somebody else (login CSRF). It is the same text on every page, so that its hash is too.
 */
const TAKE_TOKEN =
  "(function(){function take(){var t=location.hash.slice(1);if(t.split('.').length!==3)return;history.replaceState(null,'',location.pathname+location.search);var f=document.getElementById('enter');f.elements.token.value=t;f.hidden=false;f.querySelector('button').focus()}addEventListener('hashchange',take);take()})()";

/** The form that TAKE_TOKEN fills in and shows. */
const tokenForm = (place: PortalPlace): string =>
  formOf(
    place,
    'enter-token',
    `<input type="hidden" name="token">
<p>${told(place, place.words.linkReady)}</p>
<button>${escapeHtml(place.words.enterCode)}</button>`,
    ' id="enter" class="card" hidden',
  );

/**
 * Contrast is at least 4.5:1 for text and 3:1 for buttons, fields and the focus ring, in both schemes; the colours of a site
 * were checked when they were set. Targets are 44 px high. Sizes are in rem, so that they grow with the reader's own, and
 * directions are logical, so that the page mirrors. Where colours are forced, borders draw what colours drew.
 */
const STYLE = `${COLOURS}
:root{--accent:var(--mark);--on-accent:var(--ground)}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;background:var(--ground);color:var(--text);font:1.0625rem/1.6 system-ui,sans-serif;text-align:start}
header,nav,main,footer{max-width:44rem;margin-inline:auto;padding-inline:1.25rem;overflow-wrap:anywhere}
header{display:flex;flex-wrap:wrap;align-items:center;gap:.6rem 1rem;padding-block:1rem;border-bottom:3px solid var(--accent)}
header p{margin:0;font-weight:600;flex:1 1 auto;min-width:0}
header form{margin:0}
img{display:block;width:auto;height:auto;max-width:min(100%,15rem);max-height:4.5rem;padding:.25rem;border-radius:6px;background:#fff;forced-color-adjust:none}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;margin:.75rem 0 0;padding:0;list-style:none}
nav a{display:inline-block;min-height:2.75rem;padding-block:.5rem;color:var(--text);border-bottom:3px solid transparent;text-decoration:none}
nav a:hover{text-decoration:underline}
nav a[aria-current]{font-weight:700;border-bottom-color:var(--accent)}
main{padding-block:1.25rem 2rem}
main:focus{outline:none}
.skip{position:absolute;inset-inline-start:-9999px;padding:.6rem 1rem;background:var(--ground);color:var(--text)}
.skip:focus{inset-inline-start:.5rem;top:.5rem}
h1{margin:0 0 .75rem;font-size:1.6rem;line-height:1.3}
h2{margin:0 0 .5rem;font-size:1.2rem;line-height:1.35}
p{margin:0 0 .75rem}
fieldset,.card{min-width:0;margin:0 0 1.25rem;padding:1rem 1.1rem;border:1px solid var(--line);border-radius:8px;background:var(--panel)}
fieldset.all{margin:0;padding:0;border:0;background:none}
legend{max-width:100%;padding-inline:.35rem;font-size:1.2rem;font-weight:700}
ul.cards{margin:0;padding:0;list-style:none}
fieldset.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(13rem,100%),1fr));align-items:end;gap:0 1rem;margin:0;padding:.6rem 0;border:0;border-top:1px solid var(--line);border-radius:0;background:none}
.pair legend{padding:0;padding-inline-end:.35rem;font-size:1.0625rem}
.pair legend+div,.pair div{min-width:0}
.pair label{font-weight:400}
@supports selector(:has(*)){form:not(:has(option[value=RECTIFICATION]:checked)) .corrections{display:none}}
.field{padding-block:.6rem}
.field+.field{border-top:1px solid var(--line)}
.choice{display:flex;gap:.6rem;align-items:flex-start;min-height:2.75rem;padding-block:.4rem;cursor:pointer}
.choice input{flex:none;width:1.4rem;height:1.4rem;margin:.15rem 0 0;accent-color:var(--accent)}
label,.label{display:block;font-weight:600}
.more{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;padding-inline-start:2rem}
.more>div{min-width:0;max-width:100%}
.more label{font-weight:400}
input:not([type=checkbox]),select,textarea{display:block;width:100%;max-width:24rem;min-height:2.75rem;margin:.25rem 0 .5rem;padding:.45rem .6rem;border:1px solid var(--soft);border-radius:6px;background:var(--ground);color:var(--text);font:inherit}
.more input:not([type=checkbox]),.more select{width:auto;max-width:100%}
textarea{max-width:100%}
.help,.soft{color:var(--soft);font-size:.9375rem;margin:0 0 .35rem}
.state{font-weight:700}
.said{padding:.7rem 1rem;border:1px solid var(--line);border-inline-start:.3rem solid var(--accent);border-radius:6px;background:var(--panel)}
.wrong{margin:0;font-weight:700}
.actions{display:flex;flex-wrap:wrap;gap:.6rem 1rem;align-items:center;margin-top:.75rem}
.actions form{margin:0}
button{display:inline-block;min-height:2.75rem;max-width:100%;padding:.5rem 1.3rem;border:2px solid var(--accent);border-radius:8px;background:var(--accent);color:var(--on-accent);font:inherit;font-weight:600;cursor:pointer}
button.quiet{background:var(--ground);color:var(--text);border-color:var(--soft)}
button:hover,main a:hover{text-decoration:underline}
main a{display:inline-block;min-height:1.5rem;color:var(--link)}
a:focus-visible,button:focus-visible,input:focus-visible,select:focus-visible,textarea:focus-visible,summary:focus-visible{outline:3px solid var(--text);outline-offset:2px}
summary{min-height:2.75rem;padding-block:.5rem;cursor:pointer;font-weight:600}
dl{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.2rem 1rem;margin:.4rem 0}
dt{color:var(--soft)}
dd{margin:0}
pre{margin:.5rem 0;padding:.6rem .8rem;white-space:pre-wrap;overflow-wrap:anywhere;background:var(--ground);border:1px solid var(--line);border-radius:6px;font:.85em/1.5 ui-monospace,monospace;direction:ltr;text-align:left}
footer{padding-block:1rem 2rem;color:var(--soft);font-size:.9375rem;border-top:1px solid var(--line)}
footer ul{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;margin:0;padding:0;list-style:none}
footer a{display:inline-block;padding-block:.4rem;color:inherit}
@media (forced-colors:active){nav a:not([aria-current]){border-bottom-color:Canvas}}
@media (max-width:30rem){header,nav,main,footer{padding-inline:.75rem}fieldset,.card{padding-inline:.6rem}dl{grid-template-columns:minmax(0,1fr);gap:0}dd{margin-bottom:.4rem}.more{padding-inline-start:0}button{width:100%}header button{width:auto}}`;

/** The colours of one site, behind the style that all pages have. */
const accentStyle = ({ light, dark }: NonNullable<ShownBrand['accent']>): string =>
  `\n:root{--accent:${light.color};--on-accent:${light.text}}
@media (prefers-color-scheme:dark){:root{--accent:${dark.color};--on-accent:${dark.text}}}`;

/** A whole page: nothing is loaded from elsewhere, and only the pages of the site itself may frame it. */
export function framed(place: PortalPlace, { title, main, current, script }: PageShown): ShownPage {
  const { brand, language, words, scope, settings, takesToken } = place;
  const style = brand.accent ? STYLE + accentStyle(brand.accent) : STYLE;
  const html = `<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<title>${escapeHtml(`${title} – ${brand.name}`)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<style>${style}</style>
</head>
<body>
<a class="skip" href="#main">${escapeHtml(words.skip)}</a>
${header(place)}
${menu(place, current)}<main id="main" tabindex="-1">
<h1>${escapeHtml(title)}</h1>
${takesToken ? `${tokenForm(place)}\n` : ''}${main}
</main>
${footer(place)}${takesToken ? `<script>${TAKE_TOKEN}</script>\n` : ''}${script ? `<script>${script}</script>\n` : ''}</body>
</html>
`;
  const scripts = [...(takesToken ? [TAKE_TOKEN] : []), ...(script ? [script] : [])];
  const ancestors = ["'self'", ...settings.allowedOrigins[scope.env]].join(' ');
  const csp = [
    "default-src 'none'",
    `style-src ${sourceOf(style)}`,
    ...(scripts.length > 0 ? [`script-src ${scripts.map(sourceOf).join(' ')}`] : []),
    ...(script ? ["connect-src 'self'"] : []),
    // The one picture is part of the page: no host is named, and none is asked.
    ...(brand.logo ? ['img-src data:'] : []),
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${ancestors}`,
  ].join('; ');
  return { html, csp, language };
}

const sourceOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The name stands beside the logo in letters, so that the logo itself says nothing more to who cannot see it. */
function header(place: PortalPlace): string {
  const { brand, words, session } = place;
  const picture = brand.logo
    ? `<img src="data:${brand.logo.mediaType};base64,${brand.logo.content}" width="${brand.logo.width}" height="${brand.logo.height}" alt="">\n`
    : '';
  const out = session
    ? `\n${formOf(place, 'sign-out', `<button class="quiet">${escapeHtml(words.signOut)}</button>`)}`
    : '';
  return `<header>\n${picture}<p><bdi>${escapeHtml(brand.name)}</bdi></p>${out}\n</header>`;
}

function menu(place: PortalPlace, current: PortalPage | undefined): string {
  const pages = pagesOf(place);
  if (pages.length === 0) return '';
  const items = pages.map(
    (page) =>
      `<li><a href="${place.path}/${page}"${page === current ? ' aria-current="page"' : ''}>${escapeHtml(place.words[page])}</a></li>`,
  );
  return `<nav aria-label="${escapeHtml(place.words.menu)}"><ul>${items.join('')}</ul></nav>\n`;
}

function footer({ brand, language, words, session }: PortalPlace): string {
  const back = session?.redirectUrl
    ? [{ label: fill(words.back, { site: named(brand.name, language) }), url: session.redirectUrl }]
    : [];
  const links = [...back, ...linksOf(brand, language)];
  if (links.length === 0) return '';
  const items = links.map(
    ({ label, url }) => `<li><a href="${escapeHtml(url)}" rel="noreferrer">${escapeHtml(label)}</a></li>`,
  );
  return `<footer>\n<ul>${items.join('')}</ul>\n</footer>\n`;
}

/** A form that posts one action. Who is signed in proves by it that the form is their own. */
export function formOf({ path, session }: PortalPlace, action: string, inside: string, attributes = ''): string {
  const secret = session ? `\n<input type="hidden" name="form" value="${session.formSecret}">` : '';
  return `<form method="post" action="${path}"${attributes}>
<input type="hidden" name="action" value="${action}">${secret}
${inside}
</form>`;
}

/** What was just done, or went wrong, as HTML; read out by screen readers. */
export const said = (html: string, role: 'status' | 'alert'): string => `<p class="said" role="${role}">${html}</p>\n`;

/** A text with the name of the site in it. */
export const told = ({ brand, language }: PortalPlace, text: string, names: Record<string, string> = {}): string =>
  escapeHtml(
    fill(text, {
      site: named(brand.name, language),
      ...Object.fromEntries(Object.entries(names).map(([name, value]) => [name, named(value, language)])),
    }),
  );

/** Text of the site's own, in whichever direction it runs. `locale`: the language that it is in, where that is known. */
export const theirs = (text: string, locale?: string): string =>
  `<bdi${locale === undefined ? '' : ` lang="${escapeHtml(locale)}"`}>${escapeHtml(text)}</bdi>`;

export type NoticeWord = {
  [Name in keyof PortalWords]: PortalWords[Name] extends string ? Name : never;
}[keyof PortalWords];
