import { html, joined } from '../../pages/html.js';
import { docsPage } from './page.js';

/** Places of which one asks first, one lets object and one only tells, and languages of the demo. */
const EXAMPLES = [
  ['?country=DE', 'Germany: people are asked first'],
  ['?country=US&region=US-CA', 'California: people may object'],
  ['?country=AU', 'Australia: people read a notice'],
  ['?country=DE&locale=de', 'Germany, in German'],
] as const;

/** What the address of the page says; texts of the caller. */
export interface BannerPageQuery {
  country?: string;
  region?: string;
  locale?: string;
}

/** `/docs/banner`: the banner of the demo at work, by the one line that any page needs. `key` is null where none is offered. */
export function bannerPage(prefix: string, key: string | null, { country, region, locale }: BannerPageQuery): string {
  const attributes = Object.entries({ key, country, region, locale }).filter(([, value]) => value);
  const line = html`<script src="${prefix}/elements/v1/assent.js" ${joined(
    attributes.map(([name, value]) => html`data-${name}="${value}"`),
    ' ',
  )} async></script>`;
  const places = EXAMPLES.map(([query, label]) => html`<li><a href="${prefix}/docs/banner${query}">${label}</a></li>`);
  const about =
    key === null
      ? html`<p>This page needs the keys of the demo, which are offered on its own machine only.</p>`
      : html`<p>This is all that the page has of it:</p>
<pre tabindex="0" role="region" aria-label="The line"><code>${line.toString()}</code></pre>
<p>Banner, choices, languages, the law of the place and the proof of what was shown come with it: <a href="${prefix}/docs/guides/in-your-pages">In your pages</a>.</p>
<ul class="links">
${joined(places, '\n')}
</ul>
<h2>The way back to the choices</h2>
<p><assent-choices-link></assent-choices-link></p>
<noscript><p>This page needs its script.</p></noscript>`;
  return docsPage({
    title: 'The banner of the demo – Assent',
    prefix,
    head: key === null ? html`` : html`${line}\n`,
    heading: 'The banner of the demo',
    main: about,
  });
}
