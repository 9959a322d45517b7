import { html } from '../../pages/html.js';
import type { ShownPage } from '../../pages/frame.js';
import { framed, said, filled } from './frame.js';
import type { PortalPlace } from './place.js';

/** What a portal is, and a form that leads to that of a site. `wrong`: an address that belongs to none. */
export function entryPage(place: PortalPlace, wrong: string | null): ShownPage {
  const { words, path } = place;
  const isWrong = wrong !== null;
  const main = html`${isWrong ? said(filled(place, words.entryUnknown), 'alert') : ''}<p>${filled(place, words.entryText)}</p>
<form class="card" method="get" action="${path}">
<label for="site">${words.entryLabel}</label>
<input id="site" name="site" required maxlength="2048" inputmode="url" autocomplete="url" autocapitalize="none" spellcheck="false" dir="ltr" value="${wrong ?? ''}"${isWrong ? html` aria-invalid="true"` : ''}>
<button>${words.entryButton}</button>
</form>`;
  return framed(place, { title: words.title, main });
}
