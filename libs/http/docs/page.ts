import { createHash } from 'node:crypto';
import { ICON_SVG } from './icon.js';

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** The little Markdown that descriptions use: code in backticks, links, paragraphs. */
export const inline = (text: string): string =>
  escapeHtml(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\[([^\]]+)\]\(((?:https?:\/\/|\/)[^)\s]+)\)/g, '<a href="$2">$1</a>');
export const paragraphs = (text: string): string =>
  text
    .split(/\n{2,}/)
    .map((part) => `<p>${inline(part)}</p>`)
    .join('\n');

export interface Page {
  title: string;
  /** Path before `/docs`, where the service is published below one; without a slash at its end. See prefixOf. */
  prefix: string;
  /** The one of the links at the top that leads to this page; absent where none does. */
  current?: keyof typeof LINKS;
  main: string;
  /** Put into the head, such as a script of our own. */
  head?: string;
}

const LINKS = {
  docs: ['/docs', 'Try it'],
  guides: ['/docs/guides', 'Guides'],
  reference: ['/docs/reference', 'Reference'],
  errors: ['/docs/errors', 'Errors'],
} as const;

/** The path under which a service is published, without a slash at its end; empty where it has an address of its own. */
export const prefixOf = (publicUrl: string): string => new URL(publicUrl).pathname.replace(/\/$/, '');

/** Headers of a page that no cache keeps. It loads nothing from elsewhere, runs nothing, and no other site frames it. */
export const pageHeaders = (html: string): Record<string, string | number> => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Length': Buffer.byteLength(html),
  'Content-Language': 'en',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
});

/** The frame of every page: landmarks, a skip link, one style sheet, nothing from elsewhere. */
export function page({ title, prefix, current, main, head = '' }: Page): string {
  const links = Object.entries(LINKS).map(
    ([name, [path, label]]) =>
      `<li><a href="${prefix}${path}"${name === current ? ' aria-current="page"' : ''}>${label}</a></li>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escapeHtml(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${prefix}/docs/assets/icon.svg?v=${ICON_HASH}" type="image/svg+xml">
${head}<link rel="stylesheet" href="${prefix}/docs/assets/pages.css?v=${STYLE_HASH}">
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header><a class="home" href="${prefix}/">Assent</a>
<nav aria-label="Documentation"><ul>${links.join('')}<li><a href="${prefix}/openapi.json">OpenAPI</a></li></ul></nav>
</header>
<main id="main" tabindex="-1"${current === 'docs' ? '' : ' class="plain"'}>
${main}
</main>
<footer><p>Served by this installation; nothing on this page is loaded from elsewhere.</p></footer>
</body>
</html>
`;
}

/** The colours of every page: text, small print and links keep a contrast of at least 4.5:1 on both grounds, in both schemes. */
export const COLOURS = `:root{color-scheme:light dark;--ground:#fff;--text:#1b1f24;--soft:#565e68;--line:#d3d8de;--panel:#f4f6f8;--link:#0b57b0;--mark:#0b57b0}
@media (prefers-color-scheme:dark){:root{--ground:#14171b;--text:#e7eaee;--soft:#a7b0bb;--line:#3a424c;--panel:#1e2329;--link:#8ec0ff;--mark:#8ec0ff}}`;

/** Element rules are under `.plain`, so that they leave Swagger UI alone. Targets are at least 24 px high. */
export const STYLE = `${COLOURS}
*{box-sizing:border-box}
html{scroll-padding-top:1rem}
body{margin:0;background:var(--ground);color:var(--text);font:1rem/1.55 system-ui,sans-serif}
header a,.plain a,nav.toc a,h1+p a{color:var(--link);overflow-wrap:anywhere}
a:focus-visible,pre:focus-visible{outline:3px solid var(--mark);outline-offset:2px;border-radius:2px}
main:focus{outline:none}
main.plain{overflow-wrap:anywhere}
.skip{position:absolute;left:-9999px;color:var(--link);padding:.6rem 1rem;background:var(--ground)}
.skip:focus{left:.5rem;top:.5rem;z-index:9}
.home{display:inline-block;min-height:24px;padding:.25rem 0;font-weight:700;text-decoration:none}
.home:hover{text-decoration:underline}
header,main,footer{max-width:60rem;margin:0 auto;padding:0 1rem}
header{display:flex;flex-wrap:wrap;gap:.3rem 1.2rem;align-items:center;padding-top:.8rem;padding-bottom:.8rem;border-bottom:1px solid var(--line)}
nav ul{display:flex;flex-wrap:wrap;gap:.2rem 1.1rem;list-style:none;margin:0;padding:0}
nav a{display:inline-block;min-height:24px;padding:.25rem 0}
nav a[aria-current]{color:var(--text);font-weight:600;text-decoration:none;border-bottom:2px solid var(--mark)}
nav.toc{margin:1.2rem 0;padding:.8rem 1rem;background:var(--panel);border-radius:6px}
main nav.toc h2{margin:0;font-size:1.05rem}
main nav.toc h3{margin:.8rem 0 .1rem;font-size:.95rem}
nav.toc ul{display:block}
nav.toc li{margin:0}
h1{font-size:1.7rem;line-height:1.2;margin:1.4rem 0 .6rem}
.plain h2{font-size:1.35rem;margin:2.4rem 0 .5rem}
.plain h3{font-size:1.1rem;margin:0 0 .3rem;overflow-wrap:anywhere}
.plain h4{font-size:1rem;margin:1.2rem 0 .3rem}
.plain article{margin:1.1rem 0;padding:1rem;border:1px solid var(--line);border-radius:6px}
.plain code,.plain pre{font:.9em/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
.plain code{overflow-wrap:anywhere}
.plain pre{margin:.4rem 0;padding:.7rem .8rem;overflow-x:auto;background:var(--panel);border:1px solid var(--line);border-radius:6px}
.method{display:inline-block;padding:.05rem .45rem;border:1px solid currentcolor;border-radius:4px;font-size:.8em;font-weight:700}
.soft{color:var(--soft)}
.plain dl.fields{margin:0;border-top:1px solid var(--line)}
.plain dl.fields>div{padding:.5rem 0;border-bottom:1px solid var(--line)}
.plain dt{overflow-wrap:anywhere}
.plain dd{margin:.15rem 0 0}
.plain dd p{margin:0}
#demo-keys button{min-height:2.75rem;padding:.5rem 1rem;border:2px solid transparent;border-radius:6px;background:var(--mark);color:var(--ground);font:inherit;font-weight:600;cursor:pointer}
#demo-keys button:focus-visible{outline:3px solid var(--text);outline-offset:2px}
.links li{margin:.6rem 0}
.links a{font-weight:600}
.health{padding:.6rem .9rem;border:1px solid var(--line);border-inline-start:.3rem solid var(--mark);border-radius:6px;background:var(--panel)}
ul.codes{margin:.2rem 0;padding-left:1.2rem}
ul.codes li{padding:.15rem 0}
ul.codes a{display:inline-block;min-height:24px}
footer{margin-top:3rem;padding-top:.5rem;padding-bottom:2rem;color:var(--soft);font-size:.9rem;border-top:1px solid var(--line)}
`;
const versionOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);
export const STYLE_HASH = versionOf(STYLE);
const ICON_HASH = versionOf(ICON_SVG);
