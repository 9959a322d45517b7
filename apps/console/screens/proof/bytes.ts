type Bytes = Uint8Array<ArrayBuffer>;

/** Of base64 or base64url; null where a text is neither. */
export function fromBase64(text: string): Bytes | null {
  try {
    return Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (each) => each.charCodeAt(0));
  } catch {
    return null;
  }
}

export const bytesOf = (text: string): Bytes => new TextEncoder().encode(text);

export const areSame = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, index) => byte === b[index]);

/** SHA-256 over all parts, one after the other. */
export async function sha256(...parts: readonly Uint8Array[]): Promise<Bytes> {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return new Uint8Array(await crypto.subtle.digest('SHA-256', joined));
}

/** Whether an Ed25519 key of 32 bytes signed a text. Throws where this browser knows no Ed25519. */
export async function isSignedBy(publicKey: Bytes, signature: Bytes, text: string): Promise<boolean> {
  const key = await crypto.subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify']);
  return crypto.subtle.verify('Ed25519', key, signature, bytesOf(text));
}
