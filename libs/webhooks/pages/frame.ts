import { createHash } from 'node:crypto';
import { COLOURS, escapeHtml } from '../../http/docs/page.js';

/**
 * Targets are at least 24 px high, and text keeps a contrast of 4.5:1 in both schemes. Directions are logical, so that the
 * page mirrors; sizes are in rem, so that they grow with the reader's own. Where colours are forced, borders draw buttons.
 */
const STYLE = `${COLOURS}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);font:1rem/1.55 system-ui,sans-serif;text-align:start}
header,main{max-width:56rem;margin-inline:auto;padding-inline:1rem;overflow-wrap:anywhere}
header{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:center;gap:.5rem 1rem;padding-block:.8rem;border-bottom:1px solid var(--line)}
header p{margin:0}
main:focus{outline:none}
a{color:var(--link)}
nav a,h2 a{display:inline-block;min-height:24px}
.skip{position:absolute;inset-inline-start:-9999px;padding:.6rem 1rem;background:var(--ground)}
.skip:focus{inset-inline-start:.5rem;top:.5rem}
h1{font-size:1.6rem;line-height:1.25;margin:1.2rem 0 .6rem}
h2{font-size:1.15rem;line-height:1.35;margin:0 0 .4rem}
ul.cards{list-style:none;margin:1rem 0;padding:0}
ul.cards>li,form.panel{margin:0 0 1rem;padding:.9rem 1rem;border:1px solid var(--line);border-radius:8px;background:var(--panel)}
dl{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.2rem 1rem;margin:.4rem 0}
dt{color:var(--soft)}
dd{margin:0}
.state{font-weight:700}
.said{padding:.6rem .9rem;border:1px solid var(--line);border-inline-start:.3rem solid var(--mark);border-radius:6px;background:var(--panel)}
.soft{color:var(--soft)}
.actions{display:flex;flex-wrap:wrap;gap:.6rem;align-items:end;margin:.8rem 0}
label{display:block;font-weight:600}
input{display:block;width:100%;max-width:26rem;min-height:2.75rem;margin:.2rem 0 .6rem;padding:.4rem .6rem;border:1px solid var(--soft);border-radius:6px;background:var(--ground);color:var(--text);font:inherit}
button{min-height:2.75rem;max-width:100%;padding:.4rem 1.1rem;border:2px solid var(--mark);border-radius:6px;background:var(--mark);color:var(--ground);font:inherit;font-weight:600;cursor:pointer}
button.quiet{background:var(--ground);color:var(--text);border-color:var(--soft)}
a:focus-visible,button:focus-visible,input:focus-visible,summary:focus-visible{outline:3px solid var(--text);outline-offset:2px}
summary{min-height:24px;cursor:pointer}
pre{margin:.3rem 0;padding:.5rem .7rem;white-space:pre-wrap;overflow-wrap:anywhere;background:var(--ground);border:1px solid var(--line);border-radius:6px;font:.9em/1.5 ui-monospace,monospace}
@media (max-width:30rem){dl{grid-template-columns:minmax(0,1fr);gap:0}dd{margin-bottom:.4rem}}`;
const STYLE_SOURCE = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;

/**
 * Nothing runs and nothing is loaded; forms go to this service, and nobody frames it. `same-origin`: with less, browsers
 * would not say either which page a form comes from.
 */
export const pageHeaders = (html: string): Record<string, string | number> => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Length': Buffer.byteLength(html),
  'Content-Language': 'en',
  'Content-Security-Policy': `default-src 'none'; style-src ${STYLE_SOURCE}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'same-origin',
  'X-Robots-Tag': 'noindex',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
});

export interface Framed {
  title: string;
  /** Stands at the top beside the name: the way out of whoever is signed in. HTML. */
  aside?: string;
  /** HTML. */
  main: string;
}

export const framed = ({ title, aside = '', main }: Framed): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escapeHtml(title)} – Assent</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<style>${STYLE}</style>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header><p><strong>Assent</strong></p>${aside}</header>
<main id="main" tabindex="-1">
<h1>${escapeHtml(title)}</h1>
${main}
</main>
</body>
</html>
`;

/** Text of others, in whichever direction it runs. */
export const theirs = (text: string): string => `<bdi>${escapeHtml(text)}</bdi>`;

export const moment = (at: Date | null): string =>
  at ? `<time datetime="${at.toISOString()}">${at.toISOString().slice(0, 19).replace('T', ' ')} UTC</time>` : 'never';

export const described = (rows: readonly (readonly [name: string, html: string])[]): string =>
  `<dl>${rows.map(([name, html]) => `<dt>${name}</dt><dd>${html}</dd>`).join('\n')}</dl>`;
