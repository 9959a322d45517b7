import { textBeside } from '../../engines/text-beside.js';
import { pageOf, policyOf, type ShownPage } from '../../pages/frame.js';
import { html, joined, type Html, type HtmlValue } from '../../pages/html.js';
import { withColours } from '../../pages/style.js';

const STYLE = withColours(textBeside(import.meta.url, './webhooks.css'));
/** Nothing runs and nothing is loaded; forms go to this service, and no page frames it. */
const CSP = policyOf({ style: STYLE, forms: ["'self'"] });

export interface OperatorPage {
  title: string;
  /** Stands at the top beside the name: the way out of an operator who is signed in. */
  aside?: Html;
  main: Html;
}

export const framed = ({ title, aside, main }: OperatorPage): ShownPage => ({
  html: pageOf(
    { language: 'en', title: `${title} – Assent`, style: STYLE },
    html`<a class="skip" href="#main">Skip to content</a>
<header><p><strong>Assent</strong></p>${aside}</header>
<main id="main" tabindex="-1">
<h1>${title}</h1>
${main}
</main>
`,
  ),
  csp: CSP,
  language: 'en',
  referrer: 'same-origin',
});

/** Text of others, in whichever direction it runs. */
export const theirs = (text: string): Html => html`<bdi>${text}</bdi>`;

export const moment = (at: Date | null): HtmlValue =>
  at
    ? html`<time datetime="${at.toISOString()}">${at.toISOString().slice(0, 19).replace('T', ' ')} UTC</time>`
    : 'never';

export type Row = readonly [name: string, shown: HtmlValue];

export const described = (rows: readonly Row[]): Html =>
  html`<dl>${joined(
    rows.map(([name, shown]) => html`<dt>${name}</dt><dd>${shown}</dd>`),
    '\n',
  )}</dl>`;
