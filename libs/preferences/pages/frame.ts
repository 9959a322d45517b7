import { createHash } from 'node:crypto';
import { COLOURS, escapeHtml } from '../../platform/http/docs/page.js';

/** A page as it is answered. */
export interface Page {
  html: string;
  /** Content-Security-Policy. */
  csp: string;
  /** BCP 47. */
  language: string;
}

export interface PageParts {
  language: string;
  dir: 'ltr' | 'rtl';
  title: string;
  /** HTML. */
  main: string;
  /** Small print, plain text. */
  footer?: string;
  /** Where the form's answer may lead besides to ourselves, as form-action says it. */
  formTarget?: string | null;
}

/**
 * Contrast is at least 4.5:1 for text and 3:1 for the button's ground and the focus ring, in both schemes. Sizes are in rem,
 * so that they grow with the reader's own; directions are logical, so that the page mirrors. Where colours are forced, the
 * transparent border draws the button.
 */
const STYLE = `${COLOURS}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;background:var(--ground);color:var(--text);font:1.0625rem/1.6 system-ui,sans-serif;text-align:start}
main,footer{max-width:34rem;margin-inline:auto;padding-inline:1.25rem;overflow-wrap:anywhere}
main{padding-block:clamp(1.5rem,8vh,5rem) 1rem}
h1{margin:0 0 1rem;font-size:1.6rem;line-height:1.3}
p{margin:0 0 1rem}
ul{margin:0 0 1rem;padding-block:.9rem;padding-inline:2.1rem 1rem;background:var(--panel);border:1px solid var(--line);border-radius:8px}
li+li{margin-top:.5rem}
button,.onward{display:inline-block;min-height:3rem;max-width:100%;padding:.7rem 1.5rem;border:2px solid transparent;border-radius:8px;background:var(--mark);color:var(--ground);font:inherit;font-weight:600;text-align:center;text-decoration:none;cursor:pointer}
button:hover,.onward:hover{text-decoration:underline}
button:focus-visible,.onward:focus-visible{outline:3px solid var(--text);outline-offset:3px}
footer{padding-bottom:2rem;color:var(--soft);font-size:.9375rem}
@media (max-width:26rem){button,.onward{width:100%}}`;
const STYLE_SOURCE = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;

/** A whole page: nothing is loaded from anywhere, nothing runs, no other site frames it, and its one form goes to ourselves. */
export function framed({ language, dir, title, main, footer, formTarget }: PageParts): Page {
  const html = `<!doctype html>
<html lang="${escapeHtml(language)}" dir="${dir}">
<head>
<meta charset="utf-8">
<title>${escapeHtml(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${main}
</main>
${footer ? `<footer><p>${escapeHtml(footer)}</p></footer>\n` : ''}</body>
</html>
`;
  const targets = ["'self'", ...(formTarget ? [formTarget] : [])].join(' ');
  return {
    html,
    language,
    csp: `default-src 'none'; style-src ${STYLE_SOURCE}; form-action ${targets}; base-uri 'none'; frame-ancestors 'none'`,
  };
}
