import { hash } from 'node:crypto';

/** SHA-256 of a leaf or node, 32 bytes. */
export type Digest = Buffer;

/** A perfect subtree: the 2^level leaves from `index` · 2^level on. */
export interface Subtree {
  level: number;
  index: number;
}

/** The leaves from `from` up to, not including, `to`. */
export interface LeafRange {
  from: number;
  to: number;
}

export const DIGEST_BYTES = 32;

const LEAF = Buffer.of(0);
const NODE = Buffer.of(1);

export const sha256 = (bytes: Uint8Array): Digest => hash('sha256', bytes, 'buffer');

/** RFC 9162 section 2.1.1, of a leaf. */
export const leafHash = (entry: Uint8Array): Digest => sha256(Buffer.concat([LEAF, entry]));

/** RFC 9162 section 2.1.1, of a node above two others. */
export const nodeHash = (left: Uint8Array, right: Uint8Array): Digest => sha256(Buffer.concat([NODE, left, right]));

/** Makes hashes of leaves of entries that stand one after the other, 32 bytes each, in their place. */
export function hashLeaves(entries: Buffer): void {
  const input = Buffer.alloc(LEAF.length + DIGEST_BYTES, LEAF);
  for (let at = 0; at < entries.length; at += DIGEST_BYTES) {
    place(entries, at, DIGEST_BYTES, input, LEAF.length);
    write(entries, at, input);
  }
}

/** The root above hashes that stand one after the other, as many as a power of two. Writes over them. */
export function perfectRoot(hashes: Buffer): Digest {
  const input = Buffer.alloc(NODE.length + 2 * DIGEST_BYTES, NODE);
  for (let bytes = hashes.length; bytes > DIGEST_BYTES; bytes /= 2) {
    for (let at = 0; at < bytes; at += 2 * DIGEST_BYTES) {
      place(hashes, at, 2 * DIGEST_BYTES, input, NODE.length);
      write(hashes, at / 2, input);
    }
  }
  return Buffer.from(hashes.subarray(0, DIGEST_BYTES));
}

/** A proof hashes some 900 times: a buffer for each hash, or for each copy of bytes, would keep the garbage collector busy. */
const write = (into: Buffer, at: number, input: Uint8Array): number =>
  into.write(hash('sha256', input, 'binary'), at, 'latin1');

function place(from: Buffer, at: number, length: number, into: Buffer, offset: number): void {
  for (let i = 0; i < length; i++) into[offset + i] = from[at + i]!;
}

/** The root of a tree without leaves. */
export const EMPTY_ROOT = sha256(Buffer.alloc(0));

/** The root above perfect subtrees of falling size, the largest first. */
export function rootOf(subtrees: readonly Digest[]): Digest {
  if (subtrees.length === 0) return EMPTY_ROOT;
  return subtrees.reduceRight((right, left) => nodeHash(left, right));
}

/** Leaf ranges below the nodes of an inclusion proof, from the leaf's sibling up to the root's child (RFC 9162 2.1.3.1). */
export function inclusionRanges(index: number, size: number): LeafRange[] {
  requireSize(size);
  if (!Number.isSafeInteger(index) || index < 0 || index >= size)
    throw new RangeError(`a tree of ${size} leaves has no leaf ${index}`);
  const ranges: LeafRange[] = [];
  let [from, to] = [0, size];
  while (to - from > 1) {
    const middle = from + splitOf(to - from);
    if (index < middle) {
      ranges.unshift({ from: middle, to });
      to = middle;
    } else {
      ranges.unshift({ from, to: middle });
      from = middle;
    }
  }
  return ranges;
}

/** The same for a consistency proof between two sizes (RFC 9162 2.1.4.1). Empty from size 0 and between equal sizes. */
export function consistencyRanges(first: number, second: number): LeafRange[] {
  requireSize(first);
  requireSize(second);
  if (first > second) throw new RangeError(`a tree of ${first} leaves does not grow into one of ${second}`);
  if (first === 0) return [];
  const ranges: LeafRange[] = [];
  let [from, to] = [0, second];
  while (to !== first) {
    const middle = from + splitOf(to - from);
    if (first <= middle) {
      ranges.unshift({ from: middle, to });
      to = middle;
    } else {
      ranges.unshift({ from, to: middle });
      from = middle;
    }
  }
  // From the first leaf on it is the older tree itself, whose root the verifier has.
  if (from > 0) ranges.unshift({ from, to });
  return ranges;
}

/** The perfect subtrees that a range is made of, the first leaves first. */
export function subtreesOf({ from, to }: LeafRange): Subtree[] {
  const subtrees: Subtree[] = [];
  for (let at = from; at < to;) {
    let level = 0;
    while (at % 2 ** (level + 1) === 0 && at + 2 ** (level + 1) <= to) level += 1;
    subtrees.push({ level, index: at / 2 ** level });
    at += 2 ** level;
  }
  return subtrees;
}

/** Whether a leaf stands at an index of the tree that has this root (RFC 9162 section 2.1.3.2). */
export function verifyInclusion(
  leaf: Digest,
  index: number,
  size: number,
  proof: readonly Digest[],
  root: Digest,
): boolean {
  if (!isSize(size) || !isSize(index) || index >= size || !areDigests(proof)) return false;
  let [at, last, reached] = [index, size - 1, leaf];
  for (const sibling of proof) {
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      reached = nodeHash(sibling, reached);
      while (at % 2 === 0 && at !== 0) [at, last] = [at / 2, half(last)];
    } else reached = nodeHash(reached, sibling);
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && reached.equals(root);
}

/** Whether the tree of one root has grown into that of another and nothing else (RFC 9162 section 2.1.4.2). */
export function verifyConsistency(
  first: number,
  second: number,
  firstRoot: Digest,
  secondRoot: Digest,
  proof: readonly Digest[],
): boolean {
  if (!isSize(first) || !isSize(second) || first > second || !areDigests(proof)) return false;
  if (first === second) return proof.length === 0 && firstRoot.equals(secondRoot);
  // Every tree has grown from none.
  if (first === 0) return proof.length === 0 && firstRoot.equals(EMPTY_ROOT);
  const path = isPowerOfTwo(first) ? [firstRoot, ...proof] : [...proof];
  if (path.length === 0) return false;
  let [at, last] = [first - 1, second - 1];
  while (at % 2 === 1) [at, last] = [half(at), half(last)];
  let [older, newer] = [path[0]!, path[0]!];
  for (const node of path.slice(1)) {
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      older = nodeHash(node, older);
      newer = nodeHash(node, newer);
      while (at % 2 === 0 && at !== 0) [at, last] = [at / 2, half(last)];
    } else newer = nodeHash(newer, node);
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && older.equals(firstRoot) && newer.equals(secondRoot);
}

/** The largest power of two that is smaller than a size of two or more. */
function splitOf(size: number): number {
  let split = 1;
  while (split * 2 < size) split *= 2;
  return split;
}

const half = (n: number): number => Math.floor(n / 2);
const isSize = (n: number): boolean => Number.isSafeInteger(n) && n >= 0;
const areDigests = (proof: readonly Digest[]): boolean => proof.every(({ length }) => length === DIGEST_BYTES);

function isPowerOfTwo(n: number): boolean {
  let power = 1;
  while (power < n) power *= 2;
  return power === n;
}

function requireSize(size: number): void {
  if (!isSize(size)) throw new RangeError(`no tree has ${size} leaves`);
}
