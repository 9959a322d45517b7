import { canonicalJson } from './canonical-json.js';
import { ed25519Holds } from './ed25519.js';

/** A key of the key set at `/.well-known/jwks.json`. */
export interface VerifyingKey {
  readonly kty: string;
  readonly crv: string;
  /** 32 bytes, base64url. */
  readonly x: string;
  readonly kid: string;
  /** The key signs what is recorded from then on; absent: from the beginning. */
  readonly signsFrom?: string;
  /** Since when the key counts as compromised. */
  readonly revokedAt?: string;
}

export interface VerifyingKeys {
  readonly keys: readonly VerifyingKey[];
}

/** What a holder of receipt and key set can conclude. */
export interface ReceiptVerdict {
  /** The verdict is VALID. */
  valid: boolean;
  verdict:
    | 'VALID'
    /** Header, content or signature were changed, or the receipt beside the JWS is another one. */
    | 'TAMPERED'
    /** The key set lacks the key that the receipt names. */
    | 'UNKNOWN_KEY'
    /** The signature is right, but others may have the key. */
    | 'REVOKED_KEY'
    /** The receipt claims to be older than the first use of its key. */
    | 'KEY_NOT_YET_VALID'
    | 'NOT_A_RECEIPT';
  /** Id of the key that it names; null if it names none. */
  kid: string | null;
  /** Since when that key counts as compromised. */
  revokedAt: string | null;
  /** The signed content; null if the signature is wrong. */
  receipt: Readonly<Record<string, unknown>> | null;
}

interface Parts {
  header: { alg?: unknown; typ?: unknown; kid?: unknown };
  payload: string;
  signature: Uint8Array<ArrayBuffer>;
  signed: Uint8Array<ArrayBuffer>;
}

const TYPE = 'consent-receipt+jws';

/** `presented`: what `GET /v1/receipts/{id}` answers, as an object or its text, or the bare JWS. */
export async function verdictOn(presented: unknown, { keys }: VerifyingKeys): Promise<ReceiptVerdict> {
  const { jws, receipt: beside } = presentedIn(presented);
  const parts = partsOf(jws);
  if (parts === null) return refused('NOT_A_RECEIPT');
  const { header, payload, signature, signed } = parts;
  const kid = typeof header.kid === 'string' ? header.kid : null;
  if ((header.alg !== 'EdDSA' && header.alg !== 'Ed25519') || header.typ !== TYPE) return refused('NOT_A_RECEIPT', kid);
  const key = keys.find((one) => one.kid === kid && one.kty === 'OKP' && one.crv === 'Ed25519');
  const bytes = key && fromBase64url(key.x);
  if (!key || bytes?.length !== 32) return refused('UNKNOWN_KEY', kid);
  if (!(await ed25519Holds(signature, signed, bytes))) return refused('TAMPERED', kid);
  const receipt = parsed(payload) as ReceiptVerdict['receipt'];
  // The service signs nothing else: a text that two parsers could read differently proves nothing.
  if (canonicalJson(receipt) !== payload || receipt === null) return refused('NOT_A_RECEIPT', kid);
  if (beside !== undefined && canonicalJson(beside) !== payload) return refused('TAMPERED', kid);
  const verdict = standing(receipt, key);
  return { valid: verdict === 'VALID', verdict, kid, revokedAt: key.revokedAt ?? null, receipt };
}

/** Checks the times of a receipt whose signature is right. Timestamps have one form, so they compare as texts. */
function standing(receipt: Readonly<Record<string, unknown>>, key: VerifyingKey): ReceiptVerdict['verdict'] {
  const { recordedAt, at } = (receipt['event'] ?? {}) as { recordedAt?: unknown; at?: unknown };
  const recorded = recordedAt ?? at;
  if (key.signsFrom !== undefined && typeof recorded === 'string' && recorded < key.signsFrom)
    return 'KEY_NOT_YET_VALID';
  return key.revokedAt === undefined ? 'VALID' : 'REVOKED_KEY';
}

const refused = (verdict: ReceiptVerdict['verdict'], kid: string | null = null): ReceiptVerdict => ({
  valid: false,
  verdict,
  kid,
  revokedAt: null,
  receipt: null,
});

/** `receipt` is undefined for a bare JWS. */
function presentedIn(presented: unknown): { jws: unknown; receipt?: unknown } {
  const text = typeof presented === 'string' ? presented.trim() : null;
  const read = text?.startsWith('{') ? parsed(text) : (text ?? presented);
  if (typeof read === 'string') return { jws: read };
  const { jws, receipt } = (read ?? {}) as { jws?: unknown; receipt?: unknown };
  return receipt === undefined ? { jws: null } : { jws, receipt };
}

/** RFC 7515 section 7.1; null if the text is no compact JWS. */
function partsOf(jws: unknown): Parts | null {
  const segments = typeof jws === 'string' ? jws.split('.') : [];
  const [head, body, signature] = segments.map(fromBase64url);
  if (segments.length !== 3 || !head || !body || !signature) return null;
  const header = parsed(text(head));
  if (typeof header !== 'object' || header === null) return null;
  return {
    header,
    payload: text(body),
    signature,
    signed: new Uint8Array(new TextEncoder().encode(segments.slice(0, 2).join('.'))),
  };
}

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

/** Some bytes have several texts in base64url; only the canonical one counts. Null for every other. */
function fromBase64url(segment: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[\w-]*$/.test(segment)) return null;
  try {
    const binary = atob(segment.replace(/-/g, '+').replace(/_/g, '/'));
    const made = btoa(binary).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
    return made === segment ? Uint8Array.from(binary, (character) => character.charCodeAt(0)) : null;
  } catch {
    return null;
  }
}
