import { textBeside } from '../../engines/text-beside.js';
import { pageOf, policyOf, type ShownPage } from '../../pages/frame.js';
import { html, joined, type Html, type HtmlValue } from '../../pages/html.js';
import { withColours } from '../../pages/style.js';
import type { Mail } from '../../engines/mail/mail.js';
import type { KeptMail } from './outbox.js';

const STYLE = withColours(textBeside(import.meta.url, './outbox.css'));
/** No script, no other origin, one known style sheet; no page may frame it. */
const CSP = policyOf({ style: STYLE, frames: ["'self'"] });
/**
 * For the mail's HTML, sandboxed: no script, form or image, and no link leads anywhere. Only our own page may frame it.
 */
export const PART_CSP =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

const page = (title: string, main: Html): ShownPage => ({
  html: pageOf(
    { language: 'en', title: `${title} – Assent outbox`, style: STYLE },
    html`<a class="skip" href="#main">Skip to content</a>
<main id="main" tabindex="-1">
${main}
</main>
`,
  ),
  csp: CSP,
  language: 'en',
});

const time = (at: Date): Html =>
  html`<time datetime="${at.toISOString()}">${at.toISOString().slice(0, 19).replace('T', ' ')} UTC</time>`;
const person = (text: string): Html => html`<bdi>${text}</bdi>`;
const inLanguage = ({ language, dir }: Mail): Html => html` lang="${language}" dir="${dir}"`;

/** One page of the list. `older`: id of the mail behind which the next page begins. */
export function outboxPage(mails: readonly KeptMail[], older: bigint | null, first: boolean): ShownPage {
  const item = ({
    id,
    site,
    at,
    mail,
  }: KeptMail): Html => html`<li><a href="outbox/${id}"><bdi${inLanguage(mail)}>${mail.subject || '(no subject)'}</bdi></a>
<p class="soft">to ${person(mail.to)} · ${time(at)} · site ${site}</p></li>`;
  const links = [
    ...(first ? [] : [html`<a href="outbox">Newest</a>`]),
    ...(older === null ? [] : [html`<a href="outbox?before=${older}" rel="next">Older mails</a>`]),
  ];
  return page(
    'Mails',
    html`<h1>Outbox</h1>
<p>Mails of test environments, newest first. They were not sent: no SMTP server is set (<code>SMTP_URL</code>). The last 500 of seven days are kept.</p>
${mails.length === 0 ? html`<p>There are no mails.</p>` : html`<ol>\n${joined(mails.map(item), '\n')}\n</ol>`}
${links.length === 0 ? '' : html`<nav aria-label="Pages">${joined(links, ' ')}</nav>`}`,
  );
}

export function mailPage({ id, site, at, mail }: KeptMail): ShownPage {
  const rows: [string, HtmlValue][] = [
    ['To', person(mail.to)],
    ['From', person(`${mail.from.name} <${mail.from.address}>`.trim())],
    ['Kept', time(at)],
    ['Site', site],
    ['Language', mail.language],
    ['Message-ID', person(mail.messageId)],
    ...Object.entries(mail.headers).map(([name, value]): [string, HtmlValue] => [name, person(value)]),
  ];
  return page(
    mail.subject,
    html`<nav aria-label="Outbox"><a href="../outbox">All mails</a></nav>
<h1${inLanguage(mail)}>${mail.subject || '(no subject)'}</h1>
<dl>${joined(
      rows.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`),
      '\n',
    )}</dl>
<section aria-labelledby="text"><h2 id="text">Text</h2>
<pre${inLanguage(mail)}>${linked(mail.text)}</pre></section>
<section aria-labelledby="html"><h2 id="html">HTML</h2>
<p class="soft">Shown without scripts, images and working links; follow links in the text above.</p>
<iframe src="${id}/html" sandbox="" title="HTML part of the mail"></iframe></section>`,
  );
}

/** Makes web addresses links that send no referrer. */
const linked = (text: string): readonly HtmlValue[] =>
  text
    .split(/(https?:\/\/[^\s<>"']+)/)
    .map((part, i) => (i % 2 === 0 ? part : html`<a href="${part}" rel="noopener noreferrer nofollow">${part}</a>`));
