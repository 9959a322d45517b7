import { escapeHtml } from '../../http/docs/page.js';
import type { ShownReceipt } from '../doors.js';
import { framed, said, told, type ShownPage } from './frame.js';
import type { PortalPlace } from './place.js';

/**
 * A receipt, verified as anybody can verify it: with the published keys, from the very file that is downloaded. `script`
 * verifies once more in the page what stands in it, so that nobody has to believe the service.
 */
export function receiptPage(
  place: PortalPlace,
  receiptId: string,
  { receipt, jws, isValid, kid }: ShownReceipt,
  script: string,
): ShownPage {
  const { words, path } = place;
  const main = `${said(told(place, isValid ? words.receiptValid : words.receiptNotValid), isValid ? 'status' : 'alert')}<p id="verified-here" role="status" data-valid="${escapeHtml(words.receiptVerifiedHere)}" data-not-valid="${escapeHtml(words.receiptNotValid)}"></p>
<p>${told(place, words.receiptText)}</p>
<p><a href="${path}/receipt?id=${escapeHtml(receiptId)}&amp;download=1" download="${escapeHtml(receiptId)}.json">${escapeHtml(words.download)}</a></p>
<dl><dt>Id</dt><dd><code>${escapeHtml(receiptId)}</code></dd>
<dt>kid</dt><dd><code>${escapeHtml(kid ?? '')}</code></dd></dl>
<pre id="receipt" tabindex="0" role="region" aria-label="${escapeHtml(words.receipt)}">${escapeHtml(JSON.stringify(receipt, null, 2))}</pre>
<pre id="jws" tabindex="0" role="region" aria-label="JWS">${escapeHtml(jws)}</pre>`;
  return framed(place, { title: words.receipt, main, script });
}
