/**
 * Whether a signature of Ed25519 (RFC 8032) is right. Uses WebCrypto; if that is missing (plain http, Node.js 18, older
 * browsers) or fails, loads a slower implementation.
 */
export async function ed25519Holds(
  signature: Uint8Array<ArrayBuffer>,
  signed: Uint8Array<ArrayBuffer>,
  key: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  try {
    const { subtle } = globalThis.crypto;
    const imported = await subtle.importKey('raw', key, { name: 'Ed25519' }, false, ['verify']);
    return await subtle.verify({ name: 'Ed25519' }, imported, signature, signed);
  } catch {
    const { tweetnaclHolds } = await import('./tweetnacl.js');
    return tweetnaclHolds(signature, signed, key);
  }
}
