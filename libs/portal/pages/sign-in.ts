import { escapeHtml } from '../../http/docs/page.js';
import type { CodeSent } from '../codes/mailed-codes.js';
import { CODE_DIGITS } from '../codes/code.js';
import { formOf, framed, said, told, type NoticeWord, type ShownPage } from './frame.js';
import type { PortalPlace } from './place.js';

/** Where nobody is signed in. */
export function signInPage(place: PortalPlace, wrong: NoticeWord | null): ShownPage {
  const { words, path } = place;
  const main = `${wrong === null ? '' : said(told(place, words[wrong]), 'alert')}<p>${told(place, words.signIn.text)}</p>
<form class="card" method="post" action="${path}/code">
<label for="email">${escapeHtml(words.email)}</label>
<input id="email" name="email" type="email" required autocomplete="email" maxlength="320" dir="ltr">
<button>${escapeHtml(words.sendCode)}</button>
</form>
<noscript><p class="soft">${escapeHtml(words.linkNeedsScript)}</p></noscript>`;
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
  const main = `${wrong === null ? said(told(place, words.codeSent, { address }), 'status') : said(told(place, words[wrong]), 'alert')}${formOf(
    { ...place, session: null },
    'enter-code',
    `<input type="hidden" name="handle" value="${escapeHtml(handle)}">
<input type="hidden" name="email" value="${escapeHtml(address)}">
<label for="code">${escapeHtml(words.code)}</label>
<input id="code" name="code" required inputmode="numeric" autocomplete="one-time-code" maxlength="20" pattern="[0-9 \\-]{${CODE_DIGITS},20}" dir="ltr"${wrong === null ? '' : ' aria-invalid="true"'}>
<button>${escapeHtml(words.enterCode)}</button>`,
    ' class="card"',
  )}
<p><a href="${path}">${escapeHtml(words.newCode)}</a></p>`;
  return framed(place, { title: words.signIn.title, main });
}
