import { DIGEST_BYTES, leafHash, nodeHash, rootOf, type Digest } from './merkle.js';
import { TILE_HEIGHT, TILE_WIDTH, type TileId } from './tiles.js';

/** The right edge of a tree, from which it can grow. */
export interface TreeEnd {
  /** How many leaves it has. */
  size: number;
  /** The perfect subtrees that it is made of, the largest first: one for each binary digit of the size that is 1. */
  edge: readonly Digest[];
}

export const EMPTY_TREE: TreeEnd = { size: 0, edge: [] };

/** Hashes that were added to the end of one tile. */
export interface TileAddition extends TileId {
  hashes: Digest[];
}

/** A tree after it grew, and the hashes that were added to its tiles above the leaves, each tile once. */
export interface Grown {
  end: TreeEnd;
  tiles: TileAddition[];
}

/** Adds entries to a tree. Pure; costs two hashes for each entry, whatever the size of the tree. */
export function grow({ size, edge }: TreeEnd, entries: readonly Uint8Array[]): Grown {
  const subtrees = [...edge];
  const tiles = new Map<string, TileAddition>();
  for (const entry of entries) {
    subtrees.push(leafHash(entry));
    size += 1;
    for (let [level, count] = [1, size / 2]; Number.isInteger(count); level++, count /= 2) {
      const right = subtrees.pop()!;
      const merged = nodeHash(subtrees.pop()!, right);
      subtrees.push(merged);
      if (level % TILE_HEIGHT === 0) add(tiles, level / TILE_HEIGHT, count - 1, merged);
    }
  }
  return { end: { size, edge: subtrees }, tiles: [...tiles.values()] };
}

export const rootOfEnd = ({ edge }: TreeEnd): Digest => rootOf(edge);

function add(tiles: Map<string, TileAddition>, level: number, index: number, hash: Digest): void {
  const number = Math.floor(index / TILE_WIDTH);
  const key = `${level}/${number}`;
  const tile = tiles.get(key);
  if (tile) tile.hashes.push(hash);
  else tiles.set(key, { level, number, hashes: [hash] });
}

/** Splits bytes into hashes. */
export function digestsIn(bytes: Buffer): Digest[] {
  const digests: Digest[] = [];
  for (let at = 0; at < bytes.length; at += DIGEST_BYTES) digests.push(bytes.subarray(at, at + DIGEST_BYTES));
  return digests;
}
