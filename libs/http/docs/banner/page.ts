import { html, joined } from '../../../pages/html.js';
import { hashOf } from '../made-once.js';
import { docsPage } from '../page.js';
import { textBeside } from '../../../engines/text-beside.js';

/** Readable as it is, since people take it for a banner of their own. */
export const BANNER_STYLE = textBeside(import.meta.url, './banner.css');

/** Places of which one asks first, one lets object and one only tells, and languages of the demo. */
const EXAMPLES = [
  ['?country=DE', 'Germany: people are asked first'],
  ['?country=US&region=US-CA', 'California: people may object'],
  ['?country=AU', 'Australia: people read a notice'],
  ['?country=DE&locale=de', 'Germany, in German'],
] as const;

/** `/docs/banner`: the banner of the demo at work, made of `GET /v1/banner` by a script of its own, `script`. */
export function bannerPage(prefix: string, script: string): string {
  const asset = (name: string, content: string): string => `${prefix}/docs/assets/${name}?v=${hashOf(content)}`;
  return docsPage({
    title: 'The banner of the demo – Assent',
    prefix,
    head: html`<link rel="stylesheet" href="${asset('banner.css', BANNER_STYLE)}">\n<script defer src="${asset('banner.js', script)}"></script>\n`,
    main: html`<h1>The banner of the demo</h1>
<div id="banner-demo" data-prefix="${prefix}">
<p>A script of this page asks <a href="${prefix}/docs/reference#getBanner"><code>GET /v1/banner</code></a> what to show, and sends what is chosen in one <a href="${prefix}/docs/reference#recordConsentBatch">batch</a>. It speaks to the service by the client library <code>@assent/client</code> alone, tells the other tabs of a choice, and is yours to take: <a href="${prefix}/docs/assets/banner.js">script</a>, <a href="${prefix}/docs/assets/banner.css">style</a>.</p>
<ul class="links">
${joined(
  EXAMPLES.map(([query, label]) => html`<li><a href="${prefix}/docs/banner${query}">${label}</a></li>`),
  '\n',
)}
</ul>
<h2>What the policy asks for</h2>
<p id="banner-policy">…</p>
<p><button type="button" id="banner-reopen" hidden></button></p>
<h2>What may be done with this visitor’s data</h2>
<ul id="banner-state" aria-live="polite"></ul>
</div>
<noscript><p>This page needs its script.</p></noscript>`,
  });
}
