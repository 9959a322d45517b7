import { hashOf } from '../made-once.js';
import { page } from '../page.js';
import { BANNER_STYLE } from './style.js';

/** Places of which one asks first, one lets object and one only tells, and languages of the demo. */
const EXAMPLES = [
  ['?country=DE', 'Germany: people are asked first'],
  ['?country=US&amp;region=US-CA', 'California: people may object'],
  ['?country=AU', 'Australia: people read a notice'],
  ['?country=DE&amp;locale=de', 'Germany, in German'],
] as const;

/** `/docs/banner`: the banner of the demo at work, made of `GET /v1/banner` by a script of its own, `script`. */
export function bannerPage(prefix: string, script: string): string {
  const asset = (name: string, content: string): string => `${prefix}/docs/assets/${name}?v=${hashOf(content)}`;
  return page({
    title: 'The banner of the demo – Assent',
    prefix,
    head: `<link rel="stylesheet" href="${asset('banner.css', BANNER_STYLE)}">\n<script defer src="${asset('banner.js', script)}"></script>\n`,
    main: `<h1>The banner of the demo</h1>
<div id="banner-demo" data-prefix="${prefix}">
<p>A script of this page asks <a href="${prefix}/docs/reference#getBanner"><code>GET /v1/banner</code></a> what to show, and sends what is chosen in one <a href="${prefix}/docs/reference#recordConsentBatch">batch</a>. It speaks to the service by the client library <code>@assent/client</code> alone, tells the other tabs of a choice, and is yours to take: <a href="${prefix}/docs/assets/banner.js">script</a>, <a href="${prefix}/docs/assets/banner.css">style</a>.</p>
<ul class="links">
${EXAMPLES.map(([query, label]) => `<li><a href="${prefix}/docs/banner${query}">${label}</a></li>`).join('\n')}
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
