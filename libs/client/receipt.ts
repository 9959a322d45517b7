import type { CallOptions, Connection } from './sending/connection.js';
import type { ReceiptVerdict, VerifyingKeys } from './receipts/verify.js';
import type { Receipt, ReceiptQuery } from './types.js';

/**
 * A signed receipt. With a public key it takes the identity token of the person, or the `token` of the write’s answer.
 */
export const getReceipt = (
  connection: Connection,
  id: string,
  options?: ReceiptQuery & CallOptions,
): Promise<Receipt> => connection.read(`/v1/receipts/${encodeURIComponent(id)}`, options);

/**
 * Whether a key of the service signed the receipt. The key set is fetched once; with `keys` nothing is fetched. The
 * code that verifies is loaded at the first call.
 */
export async function verifyReceipt(
  connection: Connection,
  receipt: Receipt | string,
  { keys }: { keys?: VerifyingKeys } = {},
): Promise<ReceiptVerdict> {
  const { verifyReceipt: verify } = await import('./receipts/index.js');
  return verify(receipt, { keys: keys ?? connection.options.baseUrl });
}
