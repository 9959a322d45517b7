import { escapeHtml } from '../../http/docs/page.js';
import { framed, said, told, type ShownPage } from './frame.js';
import type { PortalPlace } from './place.js';

/** What a portal is, and a form that leads to that of a site. `wrong`: an address that belongs to none. */
export function entryPage(place: PortalPlace, wrong: string | null): ShownPage {
  const { words, path } = place;
  const isWrong = wrong !== null;
  const main = `${isWrong ? said(told(place, words.entryUnknown), 'alert') : ''}<p>${told(place, words.entryText)}</p>
<form class="card" method="get" action="${path}">
<label for="site">${escapeHtml(words.entryLabel)}</label>
<input id="site" name="site" required maxlength="2048" inputmode="url" autocomplete="url" autocapitalize="none" spellcheck="false" dir="ltr" value="${escapeHtml(wrong ?? '')}"${isWrong ? ' aria-invalid="true"' : ''}>
<button>${escapeHtml(words.entryButton)}</button>
</form>`;
  return framed(place, { title: words.title, main });
}
