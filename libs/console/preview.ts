import { pageOf, type ShownPage } from '../pages/frame.js';
import { html } from '../pages/html.js';
import { compact, sourceOf } from '../pages/style.js';
import { textBeside } from '../engines/text-beside.js';

const STYLE = compact(textBeside(import.meta.url, './preview.css'));

/*
 * The frame in which the console shows a banner before it is published. It is sandboxed, by the console and by itself:
 * its origin is opaque, so that no banner reaches the operator's session, storage or page. `'self'` is where the page came
 * from, whatever its origin, and names its one script. That script is loaded as a module, for which an opaque origin needs
 * CORS: `/elements/v1` allows every origin, `/console/assets` allows none.
 */
const CSP = [
  'sandbox allow-scripts',
  "default-src 'none'",
  "script-src 'self'",
  `style-src ${sourceOf(STYLE)}`,
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** A page with nothing but lines for its content. `script`: address of what draws the banner over it. */
export const previewPage = (script: string): ShownPage => ({
  language: 'en',
  csp: CSP,
  html: pageOf(
    { language: 'en', title: 'Banner', style: STYLE, head: html`<script type="module" src="${script}"></script>\n` },
    html`<div class="page" aria-hidden="true"><i></i><i></i><i></i><i></i><i></i><i></i></div>\n`,
  ),
});
