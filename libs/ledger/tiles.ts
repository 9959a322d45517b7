import { DIGEST_BYTES, perfectRoot, rootOf, subtreesOf, type Digest, type LeafRange, type Subtree } from './merkle.js';

/** A tile stands for a subtree of this height (C2SP tlog-tiles). */
export const TILE_HEIGHT = 8;
/** How many hashes a full tile has. */
export const TILE_WIDTH = 256;
/** No tile stands above this level. */
const TOP_LEVEL = 63;

export interface TileId {
  /** 0: hashes of leaves. Each hash above is the root of a full tile of the level below. */
  level: number;
  /** From 0, in each level. */
  number: number;
}

/** What the rest of a path below `tile/` names. */
export interface TilePath {
  /** `entries`: the entries whose hashes are the leaves of a tile of level 0. */
  level: number | 'entries';
  number: number;
  /** 1 to 255 of a partial tile, 256 of a full one. */
  width: number;
}

const PATH = /^(0|[1-9]\d?|entries)\/((?:x\d{3}\/)*\d{3})(?:\.p\/([1-9]\d{0,2}))?$/;
/** Five elements: 10^15 tiles, which no tree has. */
const MOST_ELEMENTS = 5;

/** Reads what C2SP tlog-tiles writes; null where it is no such path. There is one path for each tile. */
export function parseTilePath(path: string): TilePath | null {
  const parts = PATH.exec(path);
  if (!parts) return null;
  const level = parts[1] === 'entries' ? 'entries' : Number(parts[1]);
  const elements = parts[2]!.split('/').map((element) => element.slice(-3));
  const width = parts[3] === undefined ? TILE_WIDTH : Number(parts[3]);
  const isPartial = parts[3] !== undefined;
  if (level !== 'entries' && level > TOP_LEVEL) return null;
  if (elements.length > MOST_ELEMENTS || (elements.length > 1 && elements[0] === '000')) return null;
  if (isPartial && width >= TILE_WIDTH) return null;
  return { level, number: Number(elements.join('')), width };
}

/** The path of a tile below `tile/`. */
export function tilePath({ level, number, width }: TilePath): string {
  const digits = String(number);
  const elements = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/\d{3}/g)!;
  const path = elements.map((element, i) => (i < elements.length - 1 ? `x${element}` : element)).join('/');
  return `${level}/${path}${width < TILE_WIDTH ? `.p/${width}` : ''}`;
}

/** How many hashes a tile has in a tree of that size: 0 where it is not there. */
export function widthIn(size: number, { level, number }: TileId): number {
  const hashes = Math.floor(size / TILE_WIDTH ** level) - number * TILE_WIDTH;
  return Math.max(0, Math.min(hashes, TILE_WIDTH));
}

/** Hashes of one tile that stand one after the other: from `from` up to, not including, `to`. */
export interface TileSpan extends TileId {
  from: number;
  to: number;
}

/** The span of hashes that the hash of a subtree is made of: a power of two. */
function spanOf({ level, index }: Subtree): TileSpan {
  const tileLevel = Math.floor(level / TILE_HEIGHT);
  const count = 2 ** (level - tileLevel * TILE_HEIGHT);
  const first = index * count;
  const number = Math.floor(first / TILE_WIDTH);
  const from = first - number * TILE_WIDTH;
  return { level: tileLevel, number, from, to: from + count };
}

/** The hashes that are needed for these ranges of leaves, range by range in their order. */
export const spansFor = (ranges: readonly LeafRange[]): TileSpan[][] =>
  ranges.map((range) => subtreesOf(range).map(spanOf));

/** The root above the hashes of the spans of one range, whose bytes it writes over. Throws where there are too few. */
export function rootOfSpans(spans: readonly TileSpan[], hashes: readonly Buffer[]): Digest {
  return rootOf(
    spans.map(({ level, number, from, to }, i) => {
      if (hashes[i]!.length < (to - from) * DIGEST_BYTES)
        throw new RangeError(`tile ${level}/${number} ends before hash ${to}`);
      return perfectRoot(hashes[i]!);
    }),
  );
}
