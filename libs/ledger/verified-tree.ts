import type { RecordedEvent } from '../log/port.js';
import type { Position, Scope } from '../kernel/index.js';
import type { Database } from '../engines/database/database.js';
import { digestsIn, EMPTY_TREE, grow, rootOfEnd, type TileAddition } from './growth.js';
import { DIGEST_BYTES, type Digest } from './merkle.js';
import { TILE_WIDTH } from './tiles.js';
import { positionsIn } from './trees.js';

/**
 * Between log and ledger: an event was changed, inserted or dropped, or two changed places. Within the ledger: a tile, the
 * edge of a tree or a checkpoint does not follow from the leaves.
 */
export type BreakKind = 'EDITED' | 'INSERTED' | 'DROPPED' | 'SWAPPED' | 'TILE' | 'EDGE' | 'CHECKPOINT';

type EventNamed = Pick<RecordedEvent, 'position' | 'stream' | 'revision' | 'type'>;

export interface TreeBreak {
  kind: BreakKind;
  leaf: number | null;
  /** The event that stands there now; null where none does. */
  event: EventNamed | null;
  changed: 'LOG' | 'LEDGER' | 'UNKNOWN';
  detail: string;
}

export interface StoredState {
  size: number;
  edge: Buffer;
}

interface Leaf {
  entry: Digest;
  position: Position;
}

/** Entries that did not fit, until the next one shows what happened. */
interface Doubt {
  leaf: number;
  event: EventNamed;
  entry: Digest;
}

/**
 * Verifies one tree leaf by leaf. It grows the tree twice, from the log and from the ledger's tables. Where the two differ,
 * the signed roots show which of them was changed.
 */
export class VerifiedTree {
  private index = 0;
  private readonly ofLog: Growing;
  private readonly ofStored: Growing;
  private bundle: { number: number; leaves: Leaf[] } | null = null;
  private doubt: Doubt | null = null;
  private found: Omit<TreeBreak, 'changed'> | null = null;

  constructor(
    private readonly database: Database,
    readonly scope: Scope,
    private readonly stored: StoredState,
    private readonly checkpoints: readonly { size: number; root: Digest }[],
  ) {
    const sizes = [...new Set(checkpoints.map(({ size }) => size))].sort((a, b) => a - b);
    this.ofLog = new Growing(sizes);
    this.ofStored = new Growing(sizes);
  }

  /** What the ledger holds for the event at a position, where that is its next leaf. */
  async storedAt(position: Position): Promise<Digest | null> {
    const leaf = await this.leafAt(this.index);
    return leaf?.position === position ? leaf.entry : null;
  }

  /** Takes the next event of the log and its expected entry. */
  async take(event: EventNamed, entry: Digest): Promise<void> {
    const leaf = await this.leafAt(this.index);
    if (!this.found) {
      if (this.doubt) await this.settle(entry);
      else if (leaf) await this.compare(leaf, event, entry);
    }
    this.ofLog.add(entry);
    if (leaf) this.ofStored.add(leaf.entry);
    this.index += 1;
  }

  /** Call it after the last event: the first break, or null where all fits. */
  async end(): Promise<TreeBreak | null> {
    if (this.doubt && !this.found) await this.settle(null);
    const events = this.index;
    for (; this.index < this.stored.size; this.index++) this.ofStored.add((await this.leafAt(this.index))!.entry);
    if (!this.found && this.stored.size > events)
      this.found = {
        kind: 'DROPPED',
        leaf: events,
        event: null,
        detail: `the log ends before the event that stood at position ${(await this.leafAt(events))!.position}`,
      };
    this.ofLog.flush();
    this.ofStored.flush();
    if (this.found) return { ...this.found, changed: this.changed(this.found.leaf!) };
    return (await this.withinLedger()) ?? this.otherwiseSigned(events);
  }

  private async compare(leaf: Leaf, event: EventNamed, entry: Digest): Promise<void> {
    // The entry fits, also at another position: an earlier event of any tree may have been inserted or dropped.
    if (leaf.entry.equals(entry)) return;
    if (event.position > leaf.position)
      this.found = {
        kind: 'DROPPED',
        leaf: this.index,
        event: null,
        detail: `the event that stood at position ${leaf.position} is not there; the next one stands at ${event.position}`,
      };
    else if (event.position < leaf.position)
      this.found = {
        kind: 'INSERTED',
        leaf: this.index,
        event,
        detail: 'the event was not there when the ledger came by',
      };
    else this.doubt = { leaf: this.index, event, entry };
  }

  /** Finds out what happened to events that do not fit. `next`: the entry of the event after them; null: there is none. */
  private async settle(next: Digest | null): Promise<void> {
    const { leaf, event, entry } = this.doubt!;
    const own = (await this.leafAt(leaf))!.entry;
    const place = await this.leafOf(entry);
    const at = { leaf, event };
    if (next?.equals(own) && place !== leaf + 1)
      this.found = { ...at, kind: 'INSERTED', detail: 'the event was not recorded; those after it were moved on' };
    else if (place === leaf + 1 && !next?.equals(own))
      this.found = {
        ...at,
        kind: 'DROPPED',
        detail: 'the event that stood here is gone; those after it were moved up',
      };
    else if (place !== null)
      this.found = {
        ...at,
        kind: 'SWAPPED',
        detail: `the event of leaf ${place} stands where that of leaf ${leaf} was`,
      };
    else this.found = { ...at, kind: 'EDITED', detail: 'the event is not what was recorded' };
    this.doubt = null;
  }

  /** Which side was changed: the one whose root differs from the next signed one after the leaf. */
  private changed(leaf: number): TreeBreak['changed'] {
    const after = this.checkpoints.filter(({ size }) => size > leaf);
    const fits = (growing: Growing): boolean =>
      after.length > 0 && after.every(({ size, root }) => growing.roots.get(size)?.equals(root) === true);
    if (fits(this.ofStored)) return 'LOG';
    return fits(this.ofLog) ? 'LEDGER' : 'UNKNOWN';
  }

  /** Whether tiles and edge follow from the leaves, which fit the log. */
  private async withinLedger(): Promise<TreeBreak | null> {
    const within = { event: null, changed: 'LEDGER' } as const;
    const { site, env } = this.scope;
    const rows = await this.database.run<{ level: number; number: number; hashes: Buffer }>(
      'select level, number, hashes from ledger.tiles where site = $1 and env = $2',
      [site, env],
    );
    const stored = new Map(rows.map(({ level, number, hashes }) => [`${level}/${number}`, hashes]));
    for (const [key, hashes] of this.ofStored.tiles) {
      const wanted = Buffer.concat(hashes);
      // The ledger may have grown meanwhile.
      if (stored.get(key)?.subarray(0, wanted.length).equals(wanted)) continue;
      const [level, number] = key.split('/').map(Number) as [number, number];
      const leaf = number * TILE_WIDTH ** (level + 1);
      return { ...within, kind: 'TILE', leaf, detail: `tile ${key} does not follow from the leaves below it` };
    }
    const { end } = this.ofStored;
    if (end.size === this.stored.size && Buffer.concat(end.edge).equals(this.stored.edge)) return null;
    return { ...within, kind: 'EDGE', leaf: end.size, detail: 'the edge of the tree does not follow from its leaves' };
  }

  private otherwiseSigned(events: number): TreeBreak | null {
    const wrong = this.checkpoints.find(({ size, root }) => !this.ofLog.roots.get(size)?.equals(root));
    if (!wrong) return null;
    const { size } = wrong;
    const detail =
      size > events
        ? `a tree of ${size} leaves was signed, and the log gives ${events}`
        : `another root was signed for the first ${size} leaves`;
    return {
      kind: 'CHECKPOINT',
      leaf: Math.max(0, Math.min(size, events) - 1),
      event: null,
      changed: 'UNKNOWN',
      detail,
    };
  }

  private async leafAt(index: number): Promise<Leaf | null> {
    if (index >= this.stored.size) return null;
    const number = Math.floor(index / TILE_WIDTH);
    if (this.bundle?.number !== number) this.bundle = { number, leaves: await this.readBundle(number) };
    // A bundle that is too short gives a leaf that equals no entry.
    return this.bundle.leaves[index % TILE_WIDTH] ?? { entry: Buffer.alloc(DIGEST_BYTES), position: -1n };
  }

  private async readBundle(number: number): Promise<Leaf[]> {
    const { site, env } = this.scope;
    const [row] = await this.database.run<{ entries: Buffer; positions: Buffer }>(
      'select entries, positions from ledger.bundles where site = $1 and env = $2 and number = $3',
      [site, env, number],
    );
    if (!row) return [];
    const positions = positionsIn(row.positions);
    return digestsIn(row.entries).map((entry, i) => ({ entry, position: positions[i] ?? -1n }));
  }

  /** Index of the leaf with this entry; null where there is none. Reads the whole tree. */
  private async leafOf(entry: Digest): Promise<number | null> {
    const { site, env } = this.scope;
    const [row] = await this.database.run<{ number: number; entries: Buffer }>(
      'select number, entries from ledger.bundles where site = $1 and env = $2 and position($3::bytea in entries) > 0 order by number limit 1',
      [site, env, entry],
    );
    const within = row ? digestsIn(row.entries).findIndex((each) => each.equals(entry)) : -1;
    return within < 0 ? null : row!.number * TILE_WIDTH + within;
  }
}

/** How many entries are added at once. */
const CHUNK = 1024;

/** A tree that grows, and the roots that it had at certain sizes. */
class Growing {
  end = EMPTY_TREE;
  readonly roots = new Map<number, Digest>();
  /** Tiles above the leaves by `level/number`. */
  readonly tiles = new Map<string, Digest[]>();
  private waiting: Digest[] = [];
  private next = 0;

  constructor(private readonly sizes: readonly number[]) {
    this.noteRoots();
  }

  add(entry: Digest): void {
    this.waiting.push(entry);
    const size = this.end.size + this.waiting.length;
    if (this.waiting.length === CHUNK || size === this.sizes[this.next]) this.flush();
  }

  flush(): void {
    const { end, tiles } = grow(this.end, this.waiting);
    this.end = end;
    this.waiting = [];
    tiles.forEach((tile) => this.keep(tile));
    this.noteRoots();
  }

  private noteRoots(): void {
    for (; this.sizes[this.next] === this.end.size; this.next++) this.roots.set(this.end.size, rootOfEnd(this.end));
  }

  private keep({ level, number, hashes }: TileAddition): void {
    const key = `${level}/${number}`;
    const known = this.tiles.get(key);
    if (known) known.push(...hashes);
    else this.tiles.set(key, hashes);
  }
}
