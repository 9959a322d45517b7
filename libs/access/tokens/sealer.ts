/**
 * Seals secrets that must be read back (secrets that are only compared are hashed). The purpose is bound into the seal:
 * what was sealed for one purpose cannot be opened for another.
 */
export interface Sealer {
  seal(purpose: string, secret: Uint8Array): string | Promise<string>;
  open(purpose: string, sealed: string): Uint8Array | Promise<Uint8Array>;
}

/** Purpose of the MAC key that signs the identity tokens of one secret key. */
export const identityKeyPurpose = (keyId: string): string => `identity-token/${keyId}`;
