import { keysAtHand, verdictOn, type KeysAtHand, type Verdict } from '../../receipts/index.js';

/** A file that was judged. */
export type VerifiedFile = Verdict & { file: string };

export interface VerifiedReceipts {
  receipts: VerifiedFile[];
  valid: number;
  /** Every verdict but VALID. */
  invalid: number;
}

/** The keys of a file with a key set; null where it is none. */
export function keysIn(text: string): KeysAtHand | null {
  try {
    return keysAtHand(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Judges files by the given keys, without a call to the service. */
export function verifyReceipts(files: readonly { file: string; text: string }[], keys: KeysAtHand): VerifiedReceipts {
  const receipts = files.map(({ file, text }) => ({ file, ...verdictOn(text, keys) }));
  const valid = receipts.filter(({ verdict }) => verdict === 'VALID').length;
  return { receipts, valid, invalid: receipts.length - valid };
}
