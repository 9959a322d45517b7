import type { Environment, Instant } from '../kernel/index.js';
import type { DatedKey } from './bundle-signer.js';

/** Injection token of the NoteSigner. */
export const NOTE_SIGNER = Symbol('NoteSigner');

export interface NoteSignature {
  /** RFC 7638 thumbprint of the key, as in the key set. */
  kid: string;
  /** 32 bytes. */
  publicKey: Buffer;
  /** 64 bytes. */
  signature: Buffer;
}

/**
 * Signs texts of lines with the keys that sign receipts. A JWS is signed over a text without line breaks, so that none
 * of the two is ever read as the other.
 */
export interface NoteSigner {
  /**
   * Ed25519 (RFC 8032) by the key of the environment that is in force, or was at a moment of the past. `text` ends with a
   * line break, else RangeError.
   */
  signNote(env: Environment, text: string, at?: Instant): Promise<NoteSignature>;
  /** Every key of the environment that has signed, or may sign, the first one first. */
  datedKeys(env: Environment): Promise<DatedKey[]>;
}
