import type { Environment, Position, Scope } from '../kernel/index.js';
import type { Database, Queries } from '../platform/database/database.js';
import { digestsIn, EMPTY_TREE, type TreeEnd } from './growth.js';
import { DIGEST_BYTES, leafHash, type Digest } from './merkle.js';
import { TILE_WIDTH, type TileId } from './tiles.js';

/** Of the writer, as its checkpoint is called. */
export const LEDGER = 'ledger';

const POSITION_BYTES = 8;

const TREE = {
  name: 'ledger-tree',
  text: `select size, edge, (select max(c.size) from ledger.checkpoints c where c.site = $1 and c.env = $2) as signed
         from (select 1) as one left join ledger.trees on site = $1 and env = $2`,
};
const BUNDLES = {
  name: 'ledger-bundles',
  text: 'select number, entries from ledger.bundles where site = $1 and env = $2 and number = any($3::int[])',
};
const TILES = {
  name: 'ledger-tiles',
  text: `select t.level, t.number, t.hashes from unnest($3::int[], $4::int[]) as w(level, number)
         join ledger.tiles t on t.site = $1 and t.env = $2 and t.level = w.level and t.number = w.number`,
};
const BUNDLE_OF_POSITION = {
  name: 'ledger-bundle-of-position',
  text: `select number, positions from ledger.bundles where site = $1 and env = $2 and first_position <= $3
         order by first_position desc limit 1`,
};

/** A tree as it stands. */
export interface StoredTree extends TreeEnd {
  /** The largest size of which a checkpoint was signed; null where none ever was. */
  signed: number | null;
}

/** The trees as they are stored. Rejects where the database does. */
export class Trees {
  constructor(private readonly database: Pick<Queries, 'query'>) {}

  /** Of a site without any leaf the empty one. */
  async of({ site, env }: Scope): Promise<StoredTree> {
    const [row] = await this.database.query<{ size: bigint | null; edge: Buffer | null; signed: bigint | null }>(TREE, [
      site,
      env,
    ]);
    const { size, edge, signed } = row!;
    return {
      ...(size === null ? EMPTY_TREE : { size: Number(size), edge: digestsIn(edge!) }),
      signed: signed === null ? null : Number(signed),
    };
  }

  /** What stands in 256 leaves or, at the end of the tree, less; null where there are none. */
  async bundle(scope: Scope, number: number): Promise<Digest[] | null> {
    const [row] = await this.bundles(scope, [number]);
    return row ? digestsIn(row.entries) : null;
  }

  /** The hashes of these tiles by `level/number`; those that are not there are left out. */
  async tiles(scope: Scope, ids: readonly TileId[]): Promise<Map<string, Digest[]>> {
    const { site, env } = scope;
    const above = ids.filter(({ level }) => level > 0);
    const leaves = ids.filter(({ level }) => level === 0);
    const [tiles, bundles] = await Promise.all([
      above.length === 0
        ? []
        : this.database.query<TileId & { hashes: Buffer }>(TILES, [
            site,
            env,
            above.map(({ level }) => level),
            above.map(({ number }) => number),
          ]),
      leaves.length === 0
        ? []
        : this.bundles(
            scope,
            leaves.map(({ number }) => number),
          ),
    ]);
    return new Map([
      ...tiles.map(({ level, number, hashes }) => [`${level}/${number}`, digestsIn(hashes)] as const),
      ...bundles.map(({ number, entries }) => [`0/${number}`, digestsIn(entries).map(leafHash)] as const),
    ]);
  }

  /** Which leaf stands for the event at a position; null where none does, yet or ever. */
  async leafAt({ site, env }: Scope, position: Position): Promise<number | null> {
    const [row] = await this.database.query<{ number: number; positions: Buffer }>(BUNDLE_OF_POSITION, [
      site,
      env,
      position,
    ]);
    if (!row) return null;
    const within = indexOfPosition(row.positions, position);
    return within === null ? null : row.number * TILE_WIDTH + within;
  }

  private bundles({ site, env }: Scope, numbers: readonly number[]): Promise<{ number: number; entries: Buffer }[]> {
    return this.database.query<{ number: number; entries: Buffer }>(BUNDLES, [site, env, numbers]);
  }
}

export function positionBytes(positions: readonly Position[]): Buffer {
  const bytes = Buffer.alloc(positions.length * POSITION_BYTES);
  positions.forEach((position, i) => bytes.writeBigInt64BE(position, i * POSITION_BYTES));
  return bytes;
}

export const positionsIn = (bytes: Buffer): Position[] =>
  Array.from({ length: bytes.length / POSITION_BYTES }, (_, i) => bytes.readBigInt64BE(i * POSITION_BYTES));

/** Positions rise, so it is searched by halves. */
function indexOfPosition(bytes: Buffer, position: Position): number | null {
  let [from, to] = [0, bytes.length / POSITION_BYTES - 1];
  while (from <= to) {
    const middle = (from + to) >> 1;
    const found = bytes.readBigInt64BE(middle * POSITION_BYTES);
    if (found === position) return middle;
    if (found < position) from = middle + 1;
    else to = middle - 1;
  }
  return null;
}

const FORMER = {
  name: 'ledger-former',
  text: `select f.entries, f.positions from ledger.former f where f.site = $1 and f.env = $2 and f.first_position <= $3
         order by f.first_position desc limit 1`,
};

/** What stood for the event at a position before the ledger was built anew; null where nothing did. */
export async function formerEntry(
  database: Database,
  { site, env }: { site: string; env: Environment },
  position: Position,
): Promise<Digest | null> {
  const [row] = await database.query<{ entries: Buffer; positions: Buffer }>(FORMER, [site, env, position]);
  const within = row ? indexOfPosition(row.positions, position) : null;
  return within === null ? null : row!.entries.subarray(within * DIGEST_BYTES, (within + 1) * DIGEST_BYTES);
}
