import { createHash } from 'node:crypto';
import { COLOURS, escapeHtml } from '../../http/docs/page.js';
import { linksOf, type ShownBrand } from '../../pages/brand.js';
import type { Language } from '../../pages/languages.js';

/** A page as it is answered. */
export interface Page {
  html: string;
  /** Content-Security-Policy. */
  csp: string;
  /** BCP 47. */
  language: string;
}

export interface PageParts {
  language: Language;
  dir: 'ltr' | 'rtl';
  title: string;
  /** HTML. */
  main: string;
  /** Small print, plain text. */
  footer?: string;
  /** Where the form's answer may lead besides to ourselves, as form-action says it. */
  formTarget?: string | null;
  /** Whose page it is; null where the link names no site. */
  brand: ShownBrand | null;
}

/**
 * Contrast is at least 4.5:1 for text and 3:1 for the button's ground and the focus ring, in both schemes; the colour of a
 * site was checked when it was set. Sizes are in rem, so that they grow with the reader's own; directions are logical, so
 * that the page mirrors. Where colours are forced, the transparent border draws the button. A logo is made for white, and
 * stands on white also in the dark.
 */
const STYLE = `${COLOURS}
:root{--accent:var(--mark);--on-accent:var(--ground)}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;background:var(--ground);color:var(--text);font:1.0625rem/1.6 system-ui,sans-serif;text-align:start}
header,main,footer{max-width:34rem;margin-inline:auto;padding-inline:1.25rem;overflow-wrap:anywhere}
header{display:flex;flex-wrap:wrap;align-items:center;gap:.6rem 1rem;padding-block:1.1rem;border-bottom:3px solid var(--accent)}
header p{margin:0;font-weight:600;min-width:0}
img{display:block;width:auto;height:auto;max-width:min(100%,15rem);max-height:4.5rem;padding:.25rem;border-radius:6px;background:#fff;forced-color-adjust:none}
main{padding-block:clamp(1.5rem,8vh,5rem) 1rem}
header+main{padding-block-start:clamp(1.25rem,5vh,3rem)}
h1{margin:0 0 1rem;font-size:1.6rem;line-height:1.3}
p{margin:0 0 1rem}
main ul{margin:0 0 1rem;padding-block:.9rem;padding-inline:2.1rem 1rem;background:var(--panel);border:1px solid var(--line);border-radius:8px}
main li+li{margin-top:.5rem}
button,.onward{display:inline-block;min-height:3rem;max-width:100%;padding:.7rem 1.5rem;border:2px solid transparent;border-radius:8px;background:var(--accent);color:var(--on-accent);font:inherit;font-weight:600;text-align:center;text-decoration:none;cursor:pointer}
.undo{margin-top:2rem;padding-top:1.25rem;border-top:1px solid var(--line)}
.undo button{background:var(--ground);color:var(--text);border-color:var(--soft)}
button:hover,.onward:hover{text-decoration:underline}
button:focus-visible,a:focus-visible{outline:3px solid var(--text);outline-offset:3px}
footer{padding-bottom:2rem;color:var(--soft);font-size:.9375rem}
footer ul{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;margin:0;padding:0;list-style:none}
footer a{display:inline-block;padding-block:.4rem;color:inherit}
@media (max-width:26rem){button,.onward{width:100%}}`;

/** The colours of one site, behind the style that all pages have. */
const accentStyle = ({ light, dark }: NonNullable<ShownBrand['accent']>): string =>
  `\n:root{--accent:${light.color};--on-accent:${light.text}}
@media (prefers-color-scheme:dark){:root{--accent:${dark.color};--on-accent:${dark.text}}}`;

/** A whole page: nothing is loaded from anywhere, nothing runs, no other site frames it, and its forms go to ourselves. */
export function framed({ language, dir, title, main, footer, formTarget, brand }: PageParts): Page {
  const style = brand?.accent ? STYLE + accentStyle(brand.accent) : STYLE;
  const html = `<!doctype html>
<html lang="${escapeHtml(language)}" dir="${dir}">
<head>
<meta charset="utf-8">
<title>${escapeHtml(brand ? `${title} – ${brand.name}` : title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<style>${style}</style>
</head>
<body>
${brand ? `${header(brand)}\n` : ''}<main>
<h1>${escapeHtml(title)}</h1>
${main}
</main>
${footerOf(footer, brand, language)}</body>
</html>
`;
  const styleSource = `'sha256-${createHash('sha256').update(style).digest('base64')}'`;
  // The one picture is part of the page: no host is named, and none is asked.
  const pictures = brand?.logo ? ' img-src data:;' : '';
  const targets = ["'self'", ...(formTarget ? [formTarget] : [])].join(' ');
  return {
    html,
    language,
    csp: `default-src 'none'; style-src ${styleSource};${pictures} form-action ${targets}; base-uri 'none'; frame-ancestors 'none'`,
  };
}

/** The name stands beside the logo in letters, so that the logo itself says nothing more to who cannot see it. */
function header({ name, logo }: ShownBrand): string {
  const picture = logo
    ? `<img src="data:${logo.mediaType};base64,${logo.content}" width="${logo.width}" height="${logo.height}" alt="">\n`
    : '';
  return `<header>\n${picture}<p><bdi>${escapeHtml(name)}</bdi></p>\n</header>`;
}

function footerOf(smallPrint: string | undefined, brand: ShownBrand | null, language: Language): string {
  const links = brand ? linksOf(brand, language) : [];
  const parts = [
    ...(smallPrint ? [`<p>${escapeHtml(smallPrint)}</p>`] : []),
    ...(links.length > 0
      ? [
          `<ul>${links.map(({ label, url }) => `<li><a href="${escapeHtml(url)}" rel="noreferrer">${escapeHtml(label)}</a></li>`).join('')}</ul>`,
        ]
      : []),
  ];
  return parts.length > 0 ? `<footer>\n${parts.join('\n')}\n</footer>\n` : '';
}
