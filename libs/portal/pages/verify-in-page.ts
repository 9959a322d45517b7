import { verifyReceipt } from '../../client/receipts/index.js';

/* What a browser has, as far as this script uses it; the service itself is compiled without the types of browsers. */
interface Part {
  textContent: string | null;
  dataset: Record<string, string | undefined>;
}
declare const document: { getElementById(id: string): Part | null };
declare const location: { origin: string; pathname: string };

/**
 * Verifies the receipt that stands in the page, in the browser, with the key set that the service publishes. Where the key
 * set cannot be had, nothing is said.
 */
async function verifyInPage(): Promise<void> {
  const textOf = (id: string): string => document.getElementById(id)!.textContent ?? '';
  const presented = { receipt: JSON.parse(textOf('receipt')) as unknown, jws: textOf('jws') };
  // In front of the portal stands the path that the service is published under.
  const keys = location.origin + location.pathname.replace(/\/portal\/[^/]+\/[^/]+\/receipt$/, '');
  const { valid } = await verifyReceipt(presented, { keys });
  const here = document.getElementById('verified-here')!;
  here.textContent = (valid ? here.dataset['valid'] : here.dataset['notValid']) ?? '';
}

void verifyInPage().catch(() => undefined);
