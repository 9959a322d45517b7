import { createHash } from 'node:crypto';
import { COLOURS, escapeHtml } from '../../http/docs/page.js';
import type { Mail } from '../../engines/mail/mail.js';
import type { KeptMail } from './outbox.js';

/** Targets are at least 24 px high. Directions are logical, so the page mirrors for right-to-left languages. */
const STYLE = `${COLOURS}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);font:1rem/1.55 system-ui,sans-serif}
main{max-width:52rem;margin:0 auto;padding:1rem}
main:focus{outline:none}
a{color:var(--link);overflow-wrap:anywhere}
a:focus-visible,iframe:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.skip{position:absolute;inset-inline-start:-9999px;padding:.6rem 1rem;background:var(--ground)}
.skip:focus{inset-inline-start:.5rem;top:.5rem}
h1{font-size:1.6rem;line-height:1.25;margin:.5rem 0;overflow-wrap:anywhere}
h2{font-size:1.2rem;margin:2rem 0 .5rem}
ol{list-style:none;margin:1rem 0;padding:0;border-top:1px solid var(--line)}
li{padding:.6rem 0;border-bottom:1px solid var(--line)}
li a,nav a{display:inline-block;min-height:24px;padding:.1rem 0}
li a{font-weight:600}
.soft{margin:0;color:var(--soft);font-size:.925rem;overflow-wrap:anywhere}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem;margin:1rem 0}
dt{color:var(--soft)}
dd{margin:0;overflow-wrap:anywhere}
pre{margin:0;padding:.8rem;white-space:pre-wrap;overflow-wrap:anywhere;background:var(--panel);border:1px solid var(--line);border-radius:6px;font:inherit}
iframe{width:100%;height:34rem;border:1px solid var(--line);border-radius:6px;background:#fff}
@media (max-width:30rem){dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:.5rem}}`;
const STYLE_SOURCE = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;

/** No script, no other origin, one known style sheet; no page may frame it. */
export const PAGE_CSP = `default-src 'none'; style-src ${STYLE_SOURCE}; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
/**
 * For the mail's HTML, sandboxed: no script, form or image, and no link leads anywhere. Only our own page may frame it.
 */
export const PART_CSP =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

const page = (title: string, main: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escapeHtml(title)} – Assent outbox</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<style>${STYLE}</style>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<main id="main" tabindex="-1">
${main}
</main>
</body>
</html>
`;

const time = (at: Date): string =>
  `<time datetime="${at.toISOString()}">${at.toISOString().slice(0, 19).replace('T', ' ')} UTC</time>`;
const person = (text: string): string => `<bdi>${escapeHtml(text)}</bdi>`;
const inLanguage = ({ language, dir }: Mail): string => `lang="${escapeHtml(language)}" dir="${dir}"`;

/** One page of the list. `older`: id of the mail behind which the next page begins. */
export function outboxPage(mails: readonly KeptMail[], older: bigint | null, first: boolean): string {
  const item = ({
    id,
    site,
    at,
    mail,
  }: KeptMail): string => `<li><a href="outbox/${id}"><bdi ${inLanguage(mail)}>${escapeHtml(mail.subject) || '(no subject)'}</bdi></a>
<p class="soft">to ${person(mail.to)} · ${time(at)} · site ${escapeHtml(site)}</p></li>`;
  const links = [
    ...(first ? [] : ['<a href="outbox">Newest</a>']),
    ...(older === null ? [] : [`<a href="outbox?before=${older}" rel="next">Older mails</a>`]),
  ];
  return page(
    'Mails',
    `<h1>Outbox</h1>
<p>Mails of test environments, newest first. They were not sent: no SMTP server is set (<code>SMTP_URL</code>). The last 500 of seven days are kept.</p>
${mails.length === 0 ? '<p>There are no mails.</p>' : `<ol>\n${mails.map(item).join('\n')}\n</ol>`}
${links.length === 0 ? '' : `<nav aria-label="Pages">${links.join(' ')}</nav>`}`,
  );
}

export function mailPage({ id, site, at, mail }: KeptMail): string {
  const rows: [string, string][] = [
    ['To', person(mail.to)],
    ['From', person(`${mail.from.name} <${mail.from.address}>`.trim())],
    ['Kept', time(at)],
    ['Site', escapeHtml(site)],
    ['Language', escapeHtml(mail.language)],
    ['Message-ID', person(mail.messageId)],
    ...Object.entries(mail.headers).map(([name, value]): [string, string] => [escapeHtml(name), person(value)]),
  ];
  return page(
    mail.subject,
    `<nav aria-label="Outbox"><a href="../outbox">All mails</a></nav>
<h1 ${inLanguage(mail)}>${escapeHtml(mail.subject) || '(no subject)'}</h1>
<dl>${rows.map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`).join('\n')}</dl>
<section aria-labelledby="text"><h2 id="text">Text</h2>
<pre ${inLanguage(mail)}>${linked(mail.text)}</pre></section>
<section aria-labelledby="html"><h2 id="html">HTML</h2>
<p class="soft">Shown without scripts, images and working links; follow links in the text above.</p>
<iframe src="${id}/html" sandbox="" title="HTML part of the mail"></iframe></section>`,
  );
}

/** Makes web addresses links that send no referrer. */
const linked = (text: string): string =>
  text
    .split(/(https?:\/\/[^\s<>"']+)/)
    .map((part, i) =>
      i % 2 === 0
        ? escapeHtml(part)
        : `<a href="${escapeHtml(part)}" rel="noopener noreferrer nofollow">${escapeHtml(part)}</a>`,
    )
    .join('');
