import type { Instant, Position, Scope } from '../kernel/index.js';
import type { Queries } from '../engines/database/database.js';
import { DependencyUnavailable } from '../engines/dependency-unavailable.js';
import type { NoteSigner } from '../receipts/index.js';
import { digestsIn, rootOfEnd } from './growth.js';
import { consistencyRanges, EMPTY_ROOT, inclusionRanges, type Digest, type LeafRange } from './merkle.js';
import { checkpointText, originOf, signedNote } from './note.js';
import { rootOfSpans, spansFor, TILE_WIDTH, widthIn, type TilePath } from './tiles.js';
import { Trees } from './trees.js';

/** A signed size and root of a tree. */
export interface Checkpoint {
  size: number;
  root: Digest;
  /** The checkpoint as a signed note (C2SP). */
  note: string;
}

/** Proof that a leaf stands in a tree. */
export interface LeafProof {
  index: number;
  /** From the leaf's sibling to the child of the root. */
  hashes: Digest[];
}

const KEEP = {
  name: 'ledger-keep-checkpoint',
  text: `insert into ledger.checkpoints (site, env, size, root, kid, note) values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
};
const SIGNED = {
  name: 'ledger-signed',
  text: 'select size, root, kid, note from ledger.checkpoints where site = $1 and env = $2 order by size, signed_at, kid',
};

/**
 * The ledger of each site and environment, as it is shown. Everything here rejects with DependencyUnavailable where
 * database or keys are away.
 */
export class Ledger {
  private readonly trees: Trees;
  /** The last checkpoint of each tree that this process has kept. */
  private readonly kept = new Map<string, string>();

  constructor(
    private readonly database: Pick<Queries, 'query'>,
    private readonly signer: NoteSigner,
  ) {
    this.trees = new Trees(database);
  }

  /**
   * The current tree, signed by the key in force. The service stores a checkpoint before it answers it. The same tree gives
   * the same text on every instance until the key is rotated. Refuses to sign while the tree is built anew and has not
   * reached the last signed size, and where the log does not lead to a signed root.
   */
  async checkpoint(scope: Scope): Promise<Checkpoint> {
    const tree = await this.trees.of(scope);
    const { size, signed, isParted } = tree;
    if (isParted) throw new DependencyUnavailable('ledger, whose log is not the one that was signed,');
    if (signed !== null && size < signed) throw new DependencyUnavailable('ledger, which is being built anew,');
    return this.signedAs(scope, size, rootOfEnd(tree));
  }

  /**
   * The tree at a size that it has reached, signed by the key that was in force at `at`. A second call gives the same text.
   * It is stored like every other checkpoint.
   */
  async checkpointOf(scope: Scope, size: number, at: Instant): Promise<Checkpoint> {
    return this.signedAs(scope, size, await this.rootAt(scope, size), at);
  }

  private async signedAs(scope: Scope, size: number, root: Digest, at?: Instant): Promise<Checkpoint> {
    const { site, env } = scope;
    const origin = originOf(scope);
    const text = checkpointText(origin, size, root);
    const { kid, publicKey, signature } = await this.signer.signNote(env, text, at);
    const note = signedNote(text, origin, publicKey, signature);
    if (this.kept.get(origin) !== note) {
      await this.database.query(KEEP, [site, env, size, root, kid, note]);
      this.kept.set(origin, note);
    }
    return { size, root, note };
  }

  /** Every checkpoint that was ever signed, the smallest tree first. */
  async signed({ site, env }: Scope): Promise<(Checkpoint & { kid: string })[]> {
    const rows = await this.database.query<{ size: bigint; root: Buffer; kid: string; note: string }>(SIGNED, [
      site,
      env,
    ]);
    return rows.map(({ size, ...rest }) => ({ size: Number(size), ...rest }));
  }

  /** Index of the leaf of the event at a position; null where there is none yet. */
  indexOf(scope: Scope, position: Position): Promise<number | null> {
    return this.trees.leafAt(scope, position);
  }

  /** The proof that the leaf of the event at a position stands in a tree of that size; null where that has none for it. */
  async prove(scope: Scope, position: Position, size: number): Promise<LeafProof | null> {
    const index = await this.trees.leafAt(scope, position);
    if (index === null || index >= size) return null;
    return { index, hashes: await this.hashesOf(scope, inclusionRanges(index, size)) };
  }

  /** The entry of an existing leaf: 32 bytes. */
  entry(scope: Scope, index: number): Promise<Digest> {
    const from = index % TILE_WIDTH;
    return this.trees.entries(scope, { number: Math.floor(index / TILE_WIDTH), from, to: from + 1 });
  }

  /** The proof that a tree has only grown. Both sizes must have been reached, `first` no larger than `second`. */
  async proveGrowth(scope: Scope, first: number, second: number): Promise<Digest[]> {
    return this.hashesOf(scope, consistencyRanges(first, second));
  }

  /** The root that the tree had at a size that was reached. */
  async rootAt(scope: Scope, size: number): Promise<Digest> {
    return size === 0 ? EMPTY_ROOT : (await this.hashesOf(scope, [{ from: 0, to: size }]))[0]!;
  }

  /** How many leaves a tree has. */
  async size(scope: Scope): Promise<number> {
    return (await this.trees.of(scope)).size;
  }

  /** The bytes of a tile or a bundle of entries (C2SP tlog-tiles); null where the tree has none of that width. */
  async tile(scope: Scope, { level, number, width }: TilePath): Promise<Buffer | null> {
    const id = { level: level === 'entries' ? 0 : level, number };
    const size = await this.size(scope);
    const there = widthIn(size, id);
    if (there < width) return null;
    const span = { ...id, from: 0, to: width };
    if (level !== 'entries') return (await this.trees.hashes(scope, [span]))[0]!;
    return Buffer.concat(digestsIn(await this.trees.entries(scope, span)).flatMap((entry) => [ENTRY_LENGTH, entry]));
  }

  private async hashesOf(scope: Scope, ranges: readonly LeafRange[]): Promise<Digest[]> {
    const spans = spansFor(ranges);
    const hashes = await this.trees.hashes(scope, spans.flat());
    return spans.map((ofRange) => rootOfSpans(ofRange, hashes.splice(0, ofRange.length)));
  }
}

/** Before each entry of a bundle: its length as a big-endian uint16. */
const ENTRY_LENGTH = Buffer.of(0, 32);
