import { verdictOn, type ReceiptVerdict, type VerifyingKeys } from './verify.js';

export type { ReceiptVerdict, VerifyingKey, VerifyingKeys } from './verify.js';

export interface VerifyOptions {
  /** The key set, or the address of the service that has it: fetched once, and again for an unknown key. */
  keys: VerifyingKeys | string;
}

const fetched = new Map<string, Promise<VerifyingKeys>>();

/**
 * Whether a key of the key set signed the receipt. `receipt`: what `getReceipt` returns, its text, or the bare JWS. Any
 * fault of the receipt is a verdict; the call rejects only if the key set cannot be fetched.
 */
export async function verifyReceipt(receipt: unknown, { keys }: VerifyOptions): Promise<ReceiptVerdict> {
  if (typeof keys !== 'string') return verdictOn(receipt, keys);
  const known = fetched.has(keys);
  const verdict = await verdictOn(receipt, await keySet(keys));
  if (verdict.verdict !== 'UNKNOWN_KEY' || !known) return verdict;
  // The key may have been published since. Keys are never removed.
  fetched.delete(keys);
  return verdictOn(receipt, await keySet(keys));
}

/** Concurrent calls share the request; a failure is not cached. */
function keySet(baseUrl: string): Promise<VerifyingKeys> {
  let asked = fetched.get(baseUrl);
  if (!asked) {
    asked = fetchKeySet(baseUrl);
    fetched.set(baseUrl, asked);
    asked.catch(() => fetched.delete(baseUrl));
  }
  return asked;
}

async function fetchKeySet(baseUrl: string): Promise<VerifyingKeys> {
  const answer = await fetch(`${baseUrl.replace(/\/+$/, '')}/.well-known/jwks.json`);
  if (!answer.ok) throw new Error(`the key set of ${baseUrl} cannot be read: ${answer.status}`);
  return (await answer.json()) as VerifyingKeys;
}
