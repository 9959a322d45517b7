import type { components } from '../api/schema.js';

export type Receipt = components['schemas']['Receipt'];
export type SigningKey = components['schemas']['ListedSigningKey'];
export type LedgerProof = components['schemas']['LedgerProof'];

/**
 * What the page itself found out about a receipt. `REVOKED_KEY`: the signature holds, but others may have the key.
 * `NO_ED25519`: this browser cannot verify.
 */
export type ReceiptVerdict = 'VALID' | 'TAMPERED' | 'UNKNOWN_KEY' | 'REVOKED_KEY' | 'NO_ED25519';

/** Verifies a receipt (RFC 7515, Ed25519) in the browser: the signature, and that the receipt beside it is the signed one. */
export async function verdictOn({ receipt, jws }: Receipt, keys: readonly SigningKey[]): Promise<ReceiptVerdict> {
  const [head = '', body = '', signature = ''] = jws.split('.');
  const { kid, alg, typ } = JSON.parse(textOf(fromBase64(head))) as Record<string, unknown>;
  if ((alg !== 'EdDSA' && alg !== 'Ed25519') || typ !== 'consent-receipt+jws') return 'TAMPERED';
  const key = keys.find((each) => each.kid === kid);
  if (!key) return 'UNKNOWN_KEY';
  let holds: boolean;
  try {
    const imported = await crypto.subtle.importKey('raw', fromBase64(key.x), 'Ed25519', false, ['verify']);
    holds = await crypto.subtle.verify('Ed25519', imported, fromBase64(signature), bytesOf(`${head}.${body}`));
  } catch {
    return 'NO_ED25519';
  }
  if (!holds || canonical(receipt) !== textOf(fromBase64(body))) return 'TAMPERED';
  return key.revokedAt === null ? 'VALID' : 'REVOKED_KEY';
}

/** Whether the hashes of a proof lead from its entry to the root of its checkpoint (RFC 6962, section 2.1.1). */
export async function isIncluded(proof: LedgerProof): Promise<boolean> {
  const { opening, leafIndex, treeSize, hashes, checkpoint } = proof;
  const entry = fromBase64(proof.entry);
  if (opening && !same(entry, await sha256(fromBase64(opening.salt), bytesOf(opening.record)))) return false;
  let hash = await sha256(Uint8Array.of(0), entry);
  let [node, last] = [leafIndex, treeSize - 1];
  for (const text of hashes) {
    if (last === 0) return false;
    const sibling = fromBase64(text);
    if (node % 2 === 1 || node === last) {
      hash = await sha256(Uint8Array.of(1), sibling, hash);
      while (node % 2 === 0 && node !== 0) [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
    } else hash = await sha256(Uint8Array.of(1), hash, sibling);
    [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
  }
  const [, size, root = ''] = checkpoint.split('\n');
  return last === 0 && Number(size) === treeSize && same(hash, fromBase64(root));
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(new TextEncoder().encode(text));
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
/** Of base64 or base64url. */
const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (character) => character.charCodeAt(0));
const same = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, index) => byte === b[index]);

async function sha256(...parts: readonly Uint8Array[]): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}

/** JSON with members in the order of their names and nothing between them (RFC 8785), as the service signs it. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${canonical(each)}`).join(',')}}`;
}
