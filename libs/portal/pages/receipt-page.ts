import { html } from '../../pages/html.js';
import type { ShownReceipt } from '../../receipts/services.js';
import type { ShownPage } from '../../pages/frame.js';
import { framed, said, filled } from './frame.js';
import type { PortalPlace } from './place.js';

/**
 * A receipt, verified as any holder can verify it: with the published keys, from the very file that is downloaded. `script`
 * verifies once more in the page what stands in it, so that the person need not believe the service.
 */
export function receiptPage(
  place: PortalPlace,
  receiptId: string,
  { receipt, jws, isValid, kid }: ShownReceipt,
  script: string,
): ShownPage {
  const { words, path } = place;
  const main = html`${said(filled(place, isValid ? words.receiptValid : words.receiptNotValid), isValid ? 'status' : 'alert')}<p id="verified-here" role="status" data-valid="${words.receiptVerifiedHere}" data-not-valid="${words.receiptNotValid}"></p>
<p>${filled(place, words.receiptText)}</p>
<p><a href="${path}/receipt?id=${receiptId}&amp;download=1" download="${receiptId}.json">${words.download}</a></p>
<dl><dt>Id</dt><dd><code>${receiptId}</code></dd>
<dt>kid</dt><dd><code>${kid ?? ''}</code></dd></dl>
<pre id="receipt" tabindex="0" role="region" aria-label="${words.receipt}">${JSON.stringify(receipt, null, 2)}</pre>
<pre id="jws" tabindex="0" role="region" aria-label="JWS">${jws}</pre>`;
  return framed(place, { title: words.receipt, main, script });
}
