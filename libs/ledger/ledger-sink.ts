import { OrderedSink, type Step } from '../following/sinks/ordered-sink.js';
import type { RecordedEvent } from '../log/port.js';
import { BEGINNING, subjectOfStream, type Environment, type Position, type Scope } from '../kernel/index.js';
import type { Database } from '../engines/database/database.js';
import type { Vault } from '../vault/vault.js';
import { entryOf, recordText, SALT_KEY, saltOf } from './entry.js';
import { digestsIn, EMPTY_TREE, grow, rootOfEnd, type TileAddition, type TreeEnd } from './growth.js';
import type { Digest } from './merkle.js';
import { TILE_WIDTH } from './tiles.js';
import { formerEntry, positionBytes, positionsIn } from './trees.js';

/** The state of a tree that its writer carries from batch to batch. */
interface CarriedTree extends Scope {
  end: TreeEnd;
  /** Position of the last leaf: no event gets a second one, also where the checkpoint is behind. */
  through: Position;
  /** Signed sizes that the tree has not reached yet while it is built anew, the smallest first. */
  ahead: readonly { size: number; root: Digest }[];
  /** A size that was signed with another root than the log leads to; null: none. A ledger does not fork: the tree stops. */
  partedAt: number | null;
}
type Trees = ReadonlyMap<string, CarriedTree>;

/** The next leaf of a tree. */
interface Leaf {
  position: Position;
  entry: Digest;
}

/** What a batch adds to one tree. */
interface Addition {
  tree: CarriedTree;
  firstLeaf: number;
  leaves: readonly Leaf[];
  tiles: readonly TileAddition[];
}

/** Writes the ledger: a leaf for each event of a subject, in the tree of its site and environment, in log order. */
export class LedgerSink extends OrderedSink<Trees> {
  constructor(database: Database, vault: Pick<Vault, 'keysFor'>) {
    super({
      load: () => loadTrees(database),
      step: async (trees, events) => step(trees, await leavesOf(withoutLeaf(trees, events), database, vault)),
      write: WRITE,
    });
  }
}

/** The leaves of events in their order, with the tree of each; events about no subject have none. */
async function leavesOf(
  events: readonly RecordedEvent[],
  database: Database,
  vault: Pick<Vault, 'keysFor'>,
): Promise<(Leaf & { scope: Scope })[]> {
  const subjects = events.map(({ stream }) => subjectOfStream(stream));
  const keys = await vault.keysFor(SALT_KEY, [...new Set(subjects.flatMap((each) => each?.subjectId ?? []))]);
  const leaves: (Leaf & { scope: Scope })[] = [];
  for (const [i, event] of events.entries()) {
    const scope = subjects[i];
    if (!scope) continue;
    const key = keys.get(scope.subjectId);
    const { position } = event;
    // Erased: the entry that was made with the salt stays for ever.
    const former = key ? null : await formerEntry(database, scope, position);
    leaves.push({ scope, position, entry: former ?? entryOf(recordText(event), key ? saltOf(key, event.id) : null) });
  }
  return leaves;
}

/** Events after the last leaf of a tree that may grow. Earlier ones come again where a restore lost the checkpoint. */
function withoutLeaf(trees: Trees, events: readonly RecordedEvent[]): RecordedEvent[] {
  return events.filter(({ stream, position }) => {
    const scope = subjectOfStream(stream);
    if (scope === null) return false;
    const tree = trees.get(keyOf(scope));
    return !tree || (tree.partedAt === null && position > tree.through);
  });
}

function step(trees: Trees, leaves: readonly (Leaf & { scope: Scope })[]): Step<Trees> {
  const added = new Map<string, { scope: Scope; leaves: Leaf[] }>();
  for (const { scope, ...leaf } of leaves) {
    const key = keyOf(scope);
    const known = added.get(key);
    if (known) known.leaves.push(leaf);
    else added.set(key, { scope, leaves: [leaf] });
  }
  const state = new Map(trees);
  const additions: Addition[] = [];
  for (const [key, { scope, leaves: own }] of added) {
    const { site, env } = scope;
    const addition = extend(trees.get(key) ?? newTree({ site, env }), own);
    state.set(key, addition.tree);
    additions.push(addition);
  }
  return { state, events: leaves.length, values: additions.length > 0 ? valuesOf(additions) : null };
}

/**
 * Adds leaves to a tree. At a size that was signed it must have the signed root. Where it does not, this tree stops before
 * that size; other trees go on.
 */
function extend(tree: CarriedTree, leaves: readonly Leaf[]): Addition {
  const firstLeaf = tree.end.size;
  const tiles: TileAddition[] = [];
  let [end, ahead, done] = [tree.end, tree.ahead, 0];
  let partedAt: number | null = null;
  while (done < leaves.length) {
    const until = ahead.length > 0 ? Math.min(leaves.length, ahead[0]!.size - firstLeaf) : leaves.length;
    const grown = grow(
      end,
      leaves.slice(done, until).map(({ entry }) => entry),
    );
    const signed = ahead.filter(({ size }) => size === grown.end.size);
    if (signed.some(({ root }) => !root.equals(rootOfEnd(grown.end)))) {
      partedAt = grown.end.size;
      break;
    }
    end = grown.end;
    tiles.push(...grown.tiles);
    ahead = ahead.slice(signed.length);
    done = until;
  }
  const added = leaves.slice(0, done);
  const through = added.at(-1)?.position ?? tree.through;
  return { tree: { ...tree, end, through, ahead, partedAt }, firstLeaf, leaves: added, tiles: merged(tiles) };
}

const newTree = (scope: Scope): CarriedTree => ({
  ...scope,
  end: EMPTY_TREE,
  through: BEGINNING,
  ahead: [],
  partedAt: null,
});

/** Joins additions to the same tile, which follow each other. */
function merged(tiles: readonly TileAddition[]): TileAddition[] {
  const byTile = new Map<string, TileAddition>();
  for (const { level, number, hashes } of tiles) {
    const key = `${level}/${number}`;
    byTile.set(key, { level, number, hashes: [...(byTile.get(key)?.hashes ?? []), ...hashes] });
  }
  return [...byTile.values()];
}

interface BundleAddition extends Scope {
  number: number;
  leaves: readonly Leaf[];
}

/** The leaves of a batch by the bundle that they go to. */
function bundlesOf({ tree: { site, env }, firstLeaf, leaves }: Addition): BundleAddition[] {
  const bundles: BundleAddition[] = [];
  for (let at = 0; at < leaves.length;) {
    const number = Math.floor((firstLeaf + at) / TILE_WIDTH);
    const to = (number + 1) * TILE_WIDTH - firstLeaf;
    bundles.push({ site, env, number, leaves: leaves.slice(at, to) });
    at = to;
  }
  return bundles;
}

function valuesOf(additions: readonly Addition[]): unknown[] {
  const trees = additions.map(({ tree }) => tree);
  const bundles = additions.flatMap(bundlesOf);
  const tiles = additions.flatMap(({ tree: { site, env }, tiles: own }) => own.map((tile) => ({ ...tile, site, env })));
  return [
    ...scopesOf(trees),
    trees.map(({ end }) => end.size),
    trees.map(({ end }) => Buffer.concat(end.edge)),
    trees.map(({ partedAt }) => partedAt),
    ...scopesOf(bundles),
    bundles.map(({ number }) => number),
    bundles.map(({ leaves }) => leaves[0]!.position),
    bundles.map(({ leaves }) => Buffer.concat(leaves.map(({ entry }) => entry))),
    bundles.map(({ leaves }) => positionBytes(leaves.map(({ position }) => position))),
    ...scopesOf(tiles),
    tiles.map(({ level }) => level),
    tiles.map(({ number }) => number),
    tiles.map(({ hashes }) => Buffer.concat(hashes)),
  ];
}

const keyOf = ({ site, env }: Scope): string => `${site}.${env}`;
const scopesOf = (all: readonly Scope[]): [string[], Environment[]] => [
  all.map(({ site }) => site),
  all.map(({ env }) => env),
];

const WRITE = {
  name: 'ledger-write',
  text: `
with trees as (
  insert into ledger.trees (site, env, size, edge, parted_at)
  select * from unnest($1::text[], $2::text[], $3::bigint[], $4::bytea[], $5::bigint[])
  on conflict (site, env) do update set size = excluded.size, edge = excluded.edge, parted_at = excluded.parted_at
), bundles as (
  insert into ledger.bundles as b (site, env, number, first_position, entries, positions)
  select * from unnest($6::text[], $7::text[], $8::int[], $9::bigint[], $10::bytea[], $11::bytea[])
  on conflict (site, env, number) do update set entries = b.entries || excluded.entries, positions = b.positions || excluded.positions
)
insert into ledger.tiles as t (site, env, level, number, hashes)
select * from unnest($12::text[], $13::text[], $14::int[], $15::int[], $16::bytea[])
on conflict (site, env, level, number) do update set hashes = t.hashes || excluded.hashes`,
};

const LOAD = {
  name: 'ledger-load',
  text: `select coalesce(t.site, c.site) as site, coalesce(t.env, c.env) as env, coalesce(t.size, 0) as size, coalesce(t.edge, '') as edge,
                t.parted_at, b.positions, c.sizes, c.roots
         from ledger.trees t
         left join lateral (
           select positions from ledger.bundles b where b.site = t.site and b.env = t.env order by b.number desc limit 1
         ) b on true
         full join (
           select a.site, a.env, array_agg(a.size order by a.size) as sizes, array_agg(a.root order by a.size) as roots
           from ledger.checkpoints a left join ledger.trees own using (site, env)
           where a.size > coalesce(own.size, 0) group by a.site, a.env
         ) c using (site, env)`,
};

async function loadTrees(database: Database): Promise<Trees> {
  const rows = await database.query<
    Scope & {
      size: bigint;
      edge: Buffer;
      parted_at: bigint | null;
      positions: Buffer | null;
      sizes: bigint[] | null;
      roots: Buffer[] | null;
    }
  >(LOAD, []);
  return new Map(
    rows.map(({ site, env, size, edge, parted_at: partedAt, positions, sizes, roots }) => [
      keyOf({ site, env }),
      {
        site,
        env,
        end: { size: Number(size), edge: digestsIn(edge) },
        through: positions === null ? BEGINNING : positionsIn(positions).at(-1)!,
        ahead: (sizes ?? []).map((signed, i) => ({ size: Number(signed), root: roots![i]! })),
        partedAt: partedAt === null ? null : Number(partedAt),
      },
    ]),
  );
}
