import type { components } from '../../api/schema.js';
import { fromBase64, isSignedBy } from './bytes.js';
import { readVerifierKey } from './checkpoint.js';

type Verifiers = components['schemas']['LedgerVerifiers'];

/** What a receipt says, as far as the page shows it. */
export interface SignedReceipt {
  readonly id: string;
  readonly site: string;
  readonly environment: string;
  readonly subject: { readonly id: string };
  readonly event: { readonly type: string; readonly at: string; readonly recordedAt?: string };
  readonly purposes?: readonly { readonly key: string; readonly version: number; readonly decision: string }[];
  readonly preferences?: readonly { readonly field: string; readonly state: string }[];
  readonly notice?: { readonly hash: string; readonly language: string } | null;
}

export type Verdict = 'VALID' | 'TAMPERED' | 'UNKNOWN_KEY' | 'REVOKED_KEY' | 'KEY_NOT_YET_VALID' | 'UNABLE';

export interface Verified {
  readonly verdict: Verdict;
  readonly receipt: SignedReceipt;
  readonly kid: string;
}

const PARTS = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** A pasted receipt: the compact JWS alone, or `{ receipt, jws }` as the service answers it; null where a text is neither. */
export function pastedReceipt(text: string): { readonly jws: string; readonly beside: unknown } | null {
  if (PARTS.test(text)) return headerOf(text) === null ? null : { jws: text, beside: undefined };
  const given = parsed(text) as { jws?: unknown; receipt?: unknown } | null;
  if (typeof given?.jws !== 'string' || !PARTS.test(given.jws)) return null;
  return headerOf(given.jws) === null ? null : { jws: given.jws, beside: given.receipt };
}

/** Verifies a receipt (RFC 7515, RFC 8037) in this page, by the keys of its environment. */
export async function verifyReceipt(
  { jws, beside }: { readonly jws: string; readonly beside: unknown },
  ledgers: readonly Verifiers[],
): Promise<Verified | null> {
  const [head = '', body = '', signed = ''] = jws.split('.');
  const kid = headerOf(jws)!;
  const receipt = parsed(textOf(body)) as SignedReceipt | null;
  const signature = fromBase64(signed);
  if (typeof receipt?.id !== 'string' || typeof receipt.event?.at !== 'string' || !signature) return null;
  const found = (verdict: Verdict): Verified => ({ verdict, receipt, kid });
  const key = ledgers
    .filter(({ env }) => env === receipt.environment)
    .flatMap(({ verifierKeys }) => verifierKeys)
    .find((each) => each.kid === kid);
  if (!key) return found('UNKNOWN_KEY');
  let holds: boolean;
  try {
    holds = await isSignedBy(readVerifierKey(key).publicKey, signature, `${head}.${body}`);
  } catch {
    return found('UNABLE');
  }
  if (!holds || (beside !== undefined && canonical(beside) !== textOf(body))) return found('TAMPERED');
  if (key.revokedAt !== null) return found('REVOKED_KEY');
  const recordedAt = receipt.event.recordedAt ?? receipt.event.at;
  return found(key.signsFrom !== null && recordedAt < key.signsFrom ? 'KEY_NOT_YET_VALID' : 'VALID');
}

/** The id of the key in the header of a receipt's JWS; null where it is no receipt's. */
function headerOf(jws: string): string | null {
  const header = parsed(textOf(jws.split('.')[0] ?? '')) as Record<string, unknown> | null;
  const { alg, typ, kid } = header ?? {};
  return alg === 'EdDSA' && typ === 'consent-receipt+jws' && typeof kid === 'string' ? kid : null;
}

const textOf = (base64url: string): string => new TextDecoder().decode(fromBase64(base64url) ?? new Uint8Array());

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** JSON with members in the order of their names and nothing between them (RFC 8785). */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${canonical(each)}`).join(',')}}`;
}
