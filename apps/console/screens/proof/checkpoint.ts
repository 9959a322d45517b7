import type { components } from '../../api/schema.js';
import { fromBase64, isSignedBy } from './bytes.js';

export type VerifierKey = components['schemas']['VerifierKey'];
type Bytes = Uint8Array<ArrayBuffer>;

/** A checkpoint taken apart (C2SP tlog-checkpoint in a signed-note). */
export interface Checkpoint {
  /** The whole note, as it is kept. */
  readonly note: string;
  /** What is signed. */
  readonly text: string;
  readonly origin: string;
  /** Entries. */
  readonly size: number;
  readonly root: Bytes;
  readonly rootText: string;
  readonly signatures: readonly { readonly name: string; readonly keyHash: string; readonly signature: Bytes }[];
}

const BODY = /^([^\n]+)\n(0|[1-9]\d{0,15})\n([A-Za-z0-9+/]{43}=)\n(?:[^\n]+\n)*$/;
const SIGNATURE = /^— (\S+) ([A-Za-z0-9+/]+={0,2})$/;
const KEY_HASH_BYTES = 4;

/** Null where a text is no checkpoint. Line ends of any system and space around it do no harm. */
export function readCheckpoint(typed: string): Checkpoint | null {
  const note = `${typed.replace(/\r\n?/g, '\n').trim()}\n`;
  const end = note.lastIndexOf('\n\n');
  const text = note.slice(0, end + 1);
  const [, origin, size, root] = BODY.exec(text) ?? [];
  const bytes = fromBase64(root ?? '');
  if (end < 0 || origin === undefined || root === undefined || bytes === null) return null;
  const signatures = note
    .slice(end + 2, -1)
    .split('\n')
    .flatMap((line) => {
      const [, name, signed] = SIGNATURE.exec(line) ?? [];
      const of = signed === undefined ? null : fromBase64(signed);
      if (name === undefined || !of) return [];
      return [{ name, keyHash: hex(of.slice(0, KEY_HASH_BYTES)), signature: of.slice(KEY_HASH_BYTES) }];
    });
  return { note, text, origin, size: Number(size), root: bytes, rootText: root, signatures };
}

const hex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** `<name>+<hash>+<base64 of a type byte and the key>` taken apart. */
export function readVerifierKey({ verifierKey }: VerifierKey): { name: string; keyHash: string; publicKey: Bytes } {
  const [, name = '', keyHash = '', key = ''] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(verifierKey) ?? [];
  return { name, keyHash, publicKey: (fromBase64(key) ?? new Uint8Array()).slice(1) };
}

/** The key that signed a checkpoint; null: none of these did. Throws where this browser knows no Ed25519. */
export async function signerOf(checkpoint: Checkpoint, keys: readonly VerifierKey[]): Promise<VerifierKey | null> {
  for (const key of keys) {
    const { name, keyHash, publicKey } = readVerifierKey(key);
    const signed = checkpoint.signatures.find((each) => each.name === name && each.keyHash === keyHash);
    if (signed && (await isSignedBy(publicKey, signed.signature, checkpoint.text))) return key;
  }
  return null;
}
