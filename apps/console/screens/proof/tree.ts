import { areSame, sha256 } from './bytes.js';

const EMPTY_ROOT = (): Promise<Uint8Array> => sha256();
const nodeHash = (left: Uint8Array, right: Uint8Array): Promise<Uint8Array> => sha256(Uint8Array.of(1), left, right);
const half = (n: number): number => Math.floor(n / 2);

interface Tree {
  readonly size: number;
  readonly root: Uint8Array;
}

/** Whether an older tree has grown into a newer one and nothing else (RFC 9162 section 2.1.4.2). */
export async function hasOnlyGrown(older: Tree, newer: Tree, proof: readonly Uint8Array[]): Promise<boolean> {
  if (older.size > newer.size) return false;
  if (older.size === newer.size) return proof.length === 0 && areSame(older.root, newer.root);
  // Every tree has grown from none.
  if (older.size === 0) return proof.length === 0 && areSame(older.root, await EMPTY_ROOT());
  const path = Number.isInteger(Math.log2(older.size)) ? [older.root, ...proof] : [...proof];
  const [start] = path;
  if (start === undefined) return false;
  let [at, last] = [older.size - 1, newer.size - 1];
  while (at % 2 === 1) [at, last] = [half(at), half(last)];
  let [olderRoot, newerRoot] = [start, start];
  for (const node of path.slice(1)) {
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      olderRoot = await nodeHash(node, olderRoot);
      newerRoot = await nodeHash(node, newerRoot);
      while (at % 2 === 0 && at !== 0) [at, last] = [half(at), half(last)];
    } else newerRoot = await nodeHash(newerRoot, node);
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && areSame(olderRoot, older.root) && areSame(newerRoot, newer.root);
}
