import { sha256, type Digest } from './merkle.js';
import type { Scope } from '../kernel/index.js';

/** Signature type of Ed25519 in C2SP signed-note. */
const ED25519 = Buffer.of(1);
const KEY_HASH_BYTES = 4;
const SIGNATURE_BYTES = 64;

/** The first line of a tree's checkpoints: its signer and scope. It does not change with the address of the service. */
export const originOf = ({ site, env }: Scope): string => `urn:assent:ledger:${site}:${env}`;

/** What is signed of a tree (C2SP tlog-checkpoint). */
export const checkpointText = (origin: string, size: number, root: Digest): string =>
  `${origin}\n${size}\n${root.toString('base64')}\n`;

/** C2SP signed-note: a short hash that names the key. `publicKey`: 32 bytes. */
const keyHash = (name: string, publicKey: Uint8Array): Buffer =>
  sha256(Buffer.concat([Buffer.from(`${name}\n`), ED25519, publicKey])).subarray(0, KEY_HASH_BYTES);

/** A signed note. `text` ends with a line break; `signature`: Ed25519 over it, 64 bytes. */
export function signedNote(text: string, name: string, publicKey: Uint8Array, signature: Uint8Array): string {
  const signed = Buffer.concat([keyHash(name, publicKey), signature]).toString('base64');
  return `${text}\n— ${name} ${signed}\n`;
}

/** The key as verifiers of signed notes want it: `<name>+<hash>+<key>`. */
export const verifierKey = (name: string, publicKey: Uint8Array): string =>
  `${name}+${keyHash(name, publicKey).toString('hex')}+${Buffer.concat([ED25519, publicKey]).toString('base64')}`;

/** A checkpoint taken apart, not verified yet. */
export interface ReadCheckpoint {
  /** What is signed. */
  text: string;
  origin: string;
  size: number;
  root: Digest;
  signatures: { name: string; keyHash: Buffer; signature: Buffer }[];
}

const BODY = /^([^\n]+)\n(0|[1-9]\d{0,15})\n([A-Za-z0-9+/]{43}=)\n(?:[^\n]+\n)*$/;
const SIGNATURE = /^— (\S+) ([A-Za-z0-9+/]+={0,2})$/;

/** Null where a text is no checkpoint in a signed note. Signatures of other kinds are left out, as the specification asks. */
export function readCheckpoint(note: string): ReadCheckpoint | null {
  const end = note.lastIndexOf('\n\n');
  if (end < 0 || !note.endsWith('\n')) return null;
  const text = note.slice(0, end + 1);
  const body = BODY.exec(text);
  const lines = note.slice(end + 2, -1).split('\n');
  const signed = lines.map((line) => SIGNATURE.exec(line));
  if (!body || signed.includes(null)) return null;
  return {
    text,
    origin: body[1]!,
    size: Number(body[2]),
    root: Buffer.from(body[3]!, 'base64'),
    signatures: signed.flatMap((line) => {
      const bytes = Buffer.from(line![2]!, 'base64');
      if (bytes.length !== KEY_HASH_BYTES + SIGNATURE_BYTES) return [];
      return [
        { name: line![1]!, keyHash: bytes.subarray(0, KEY_HASH_BYTES), signature: bytes.subarray(KEY_HASH_BYTES) },
      ];
    }),
  };
}

/** The signature of a key in a checkpoint; null where it has none by it. */
export function signatureBy({ signatures, origin }: ReadCheckpoint, publicKey: Uint8Array): Buffer | null {
  const wanted = keyHash(origin, publicKey);
  return signatures.find((each) => each.name === origin && each.keyHash.equals(wanted))?.signature ?? null;
}

/** A proof that can be verified offline (C2SP tlog-proof). */
export const tlogProof = (index: number, hashes: readonly Digest[], checkpoint: string): string =>
  ['c2sp.org/tlog-proof@v1', `index ${index}`, ...hashes.map((each) => each.toString('base64')), '', checkpoint].join(
    '\n',
  );
