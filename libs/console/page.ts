import { pageOf, type ShownPage } from '../pages/frame.js';
import { html } from '../pages/html.js';

/** What the app must know before it asks: it stands in the page, as JSON. `apps/console/about.ts` reads it. */
export interface AboutConsole {
  /** Path under which the service is published, without a slash at its end. */
  prefix: string;
  /** How operators sign in. */
  signIn: readonly ('token' | 'oidc')[];
  /** Whether this browser may look around in the demo without a token. */
  hasDemo: boolean;
  /** Whether an operator was signed in when the page was sent. */
  isSignedIn: boolean;
}

/** Names of the files of this release. */
export interface ConsoleFiles {
  script: string;
  style: string;
}

/** Nothing but the service's own scripts runs, no script makes others of text, and no page frames the console. */
const CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

export function consolePage(about: AboutConsole, { script, style }: ConsoleFiles): ShownPage {
  const at = (file: string): string => `${about.prefix}/console/assets/${file}`;
  return {
    language: 'en',
    csp: CSP,
    // The service refuses a change that does not say which page it comes from.
    referrer: 'same-origin',
    html: pageOf(
      {
        language: 'en',
        title: 'Assent',
        head: html`<meta name="color-scheme" content="light dark">
<meta name="assent-console" content="${JSON.stringify(about)}">
<link rel="icon" href="${about.prefix}/favicon.ico">
<link rel="stylesheet" href="${at(style)}">
<script type="module" src="${at(script)}"></script>
`,
      },
      html`<div id="console"></div>
<noscript><p>The console is an application and needs scripts. Everything that it does can be done with the command line, too.</p></noscript>
`,
    ),
  };
}
