import { html } from '../../pages/html.js';
import type { CodeSent } from '../codes/mailed-codes.js';
import { CODE_DIGITS } from '../codes/code.js';
import type { ShownPage } from '../../pages/frame.js';
import { formOf, framed, said, filled, type NoticeWord } from './frame.js';
import type { PortalPlace } from './place.js';

/** The page without a session. */
export function signInPage(place: PortalPlace, wrong: NoticeWord | null): ShownPage {
  const { words, path } = place;
  const main = html`${wrong === null ? '' : said(filled(place, words[wrong]), 'alert')}<p>${filled(place, words.signIn.text)}</p>
<form class="card" method="post" action="${path}/code">
<label for="email">${words.email}</label>
<input id="email" name="email" type="email" required autocomplete="email" maxlength="320" dir="ltr">
<button>${words.sendCode}</button>
</form>
<noscript><p class="soft">${words.linkNeedsScript}</p></noscript>`;
  return framed({ ...place, takesToken: true }, { title: words.signIn.title, main });
}

/** Where a code was sent, and is to be entered. */
export function codePage(
  place: PortalPlace,
  { handle }: Pick<CodeSent, 'handle'>,
  address: string,
  wrong: NoticeWord | null,
): ShownPage {
  const { words, path } = place;
  const main = html`${wrong === null ? said(filled(place, words.codeSent, { address }), 'status') : said(filled(place, words[wrong]), 'alert')}${formOf(
    { ...place, session: null },
    'enter-code',
    html`<input type="hidden" name="handle" value="${handle}">
<input type="hidden" name="email" value="${address}">
<label for="code">${words.code}</label>
<input id="code" name="code" required inputmode="numeric" autocomplete="one-time-code" maxlength="20" pattern="[0-9 \\-]{${CODE_DIGITS},20}" dir="ltr"${wrong === null ? '' : html` aria-invalid="true"`}>
<button>${words.enterCode}</button>`,
    html` class="card"`,
  )}
<p><a href="${path}">${words.newCode}</a></p>`;
  return framed(place, { title: words.signIn.title, main });
}
