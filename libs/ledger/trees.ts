import type { Environment, Position, Scope } from '../kernel/index.js';
import type { Database, Queries } from '../engines/database/database.js';
import { digestsIn, EMPTY_TREE, type TreeEnd } from './growth.js';
import { DIGEST_BYTES, hashLeaves, type Digest } from './merkle.js';
import { TILE_WIDTH, type TileSpan } from './tiles.js';

/** Name of the writer's checkpoint. */
export const LEDGER = 'ledger';

const POSITION_BYTES = 8;

const TREE = {
  name: 'ledger-tree',
  text: `select size, edge, parted_at is not null as "isParted", (select max(c.size) from ledger.checkpoints c where c.site = $1 and c.env = $2) as signed
         from (select 1) as one left join ledger.trees on site = $1 and env = $2`,
};
// Base64 is less to send and less garbage than hexadecimal.
const SPANS = {
  name: 'ledger-spans',
  text: `select encode(case s.level when 0
           then (select substring(b.entries from s.first for s.length) from ledger.bundles b
                 where b.site = $1 and b.env = $2 and b.number = s.number)
           else (select substring(t.hashes from s.first for s.length) from ledger.tiles t
                 where t.site = $1 and t.env = $2 and t.level = s.level and t.number = s.number)
           end, 'base64') as hashes
         from unnest($3::int[], $4::int[], $5::int[], $6::int[]) with ordinality as s(level, number, first, length, n) order by s.n`,
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
  /** The log does not lead to a signed root: the tree has stopped. */
  isParted: boolean;
}

/** The trees as they are stored. Rejects where the database does. */
export class Trees {
  constructor(private readonly database: Pick<Queries, 'query'>) {}

  /** The tree of a scope; the empty one where it has no leaf. */
  async of({ site, env }: Scope): Promise<StoredTree> {
    const [row] = await this.database.query<{
      size: bigint | null;
      edge: Buffer | null;
      isParted: boolean;
      signed: bigint | null;
    }>(TREE, [site, env]);
    const { size, edge, isParted, signed } = row!;
    return {
      ...(size === null ? EMPTY_TREE : { size: Number(size), edge: digestsIn(edge!) }),
      signed: signed === null ? null : Number(signed),
      isParted,
    };
  }

  /**
   * The hashes of spans that do not overlap, 32 bytes each: none of a missing tile, fewer where a tile ends before the
   * span. Reads the bytes between spans of the same tile with them, so that a large value is looked up once.
   */
  async hashes(scope: Scope, spans: readonly TileSpan[]): Promise<Buffer[]> {
    const hulls = new Map<string, TileSpan>();
    for (const span of spans) {
      const hull = hulls.get(tileOf(span)) ?? span;
      hulls.set(tileOf(span), { ...span, from: Math.min(hull.from, span.from), to: Math.max(hull.to, span.to) });
    }
    const stored = await this.stored(scope, [...hulls.values()]);
    const read = new Map([...hulls].map(([tile, { level, from }], i) => [tile, { level, from, bytes: stored[i]! }]));
    for (const { level, bytes } of read.values()) if (level === 0) hashLeaves(bytes);
    return spans.map((span) => {
      const { from, bytes } = read.get(tileOf(span))!;
      return bytes.subarray((span.from - from) * DIGEST_BYTES, (span.to - from) * DIGEST_BYTES);
    });
  }

  /** Entries from `from` on in one bundle, 32 bytes each; fewer at the end of the tree. */
  async entries(scope: Scope, span: Omit<TileSpan, 'level'>): Promise<Buffer> {
    return (await this.stored(scope, [{ ...span, level: 0 }]))[0]!;
  }

  /** Index of the leaf of the event at a position; null where there is none. */
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

  private async stored({ site, env }: Scope, spans: readonly TileSpan[]): Promise<Buffer[]> {
    const rows = await this.database.query<{ hashes: string | null }>(SPANS, [
      site,
      env,
      spans.map(({ level }) => level),
      spans.map(({ number }) => number),
      spans.map(({ from }) => from * DIGEST_BYTES + 1),
      spans.map(({ from, to }) => (to - from) * DIGEST_BYTES),
    ]);
    return rows.map(({ hashes }) => Buffer.from(hashes ?? '', 'base64'));
  }
}

const tileOf = ({ level, number }: TileSpan): string => `${level}/${number}`;

export function positionBytes(positions: readonly Position[]): Buffer {
  const bytes = Buffer.alloc(positions.length * POSITION_BYTES);
  positions.forEach((position, i) => bytes.writeBigInt64BE(position, i * POSITION_BYTES));
  return bytes;
}

export const positionsIn = (bytes: Buffer): Position[] =>
  Array.from({ length: bytes.length / POSITION_BYTES }, (_, i) => bytes.readBigInt64BE(i * POSITION_BYTES));

/** Binary search: positions rise. */
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

/** The entry of the event at a position from before the ledger was built anew; null where there was none. */
export async function formerEntry(
  database: Database,
  { site, env }: { site: string; env: Environment },
  position: Position,
): Promise<Digest | null> {
  const [row] = await database.query<{ entries: Buffer; positions: Buffer }>(FORMER, [site, env, position]);
  const within = row ? indexOfPosition(row.positions, position) : null;
  return within === null ? null : row!.entries.subarray(within * DIGEST_BYTES, (within + 1) * DIGEST_BYTES);
}
