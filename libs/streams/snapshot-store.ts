import type { Position, Work } from '../kernel/index.js';
import type { Queries, Statement } from '../engines/database/database.js';
import { snapshotText, stateOfText } from './snapshot-json.js';
import { surplus } from './spaced-revisions.js';
import type { FoldedBefore, KeptState, SnapshotRules } from './stream-fold.js';

/** Snapshots of one stream by one fold: the newest, and older ones ever further apart. */
const MOST_KEPT = 12;
/** Folding so many events from the log costs less than twice what folding 20 does. */
const EVERY = 100;
/** Streams whose snapshots wait to be written, or whose other folds are to follow. More are not waited for: they come again later. */
const MOST_WAITING = 100;
/** Rows of an older version are left to an older release, which may still run beside this one. */
const OTHER_VERSIONS_DAYS = 1;

const NEWEST: Statement = {
  name: 'snapshot_newest',
  text: `select revision, position, last_folded, recorded_through, given_through, state from snapshot.streams
         where stream = $1 and fold = $2 and version = $3
           and ($4::bigint is null or revision <= $4) and ($5::bigint is null or position <= $5)
           and ($6::text is null or recorded_through <= $6 collate "C") and ($7::text is null or given_through <= $7 collate "C")
         order by revision desc limit 1`,
};
const REVISIONS: Statement = {
  name: 'snapshot_revisions',
  text: `select revision from snapshot.streams where stream = $1 and fold = $2 and version = $3 order by revision desc`,
};
const WRITE: Statement = {
  name: 'snapshot_write',
  text: `with given as (delete from snapshot.streams where stream = $1 and fold = $2 and version = $3 and revision = any($10::bigint[]))
         insert into snapshot.streams (stream, fold, version, revision, position, last_folded, recorded_through, given_through, state)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing`,
};
const FORGET_OTHER_VERSIONS: Statement = {
  name: 'snapshot_forget_other_versions',
  text: `delete from snapshot.streams where fold = $1 and version <> $2 and taken_at < now() - make_interval(days => ${OTHER_VERSIONS_DAYS})`,
};
const FORGET_STREAM: Statement = {
  name: 'snapshot_forget_stream',
  text: 'delete from snapshot.streams where stream = $1',
};
const FORGET_SUBJECTS: Statement = {
  name: 'snapshot_forget_subjects',
  text: `delete from snapshot.streams where split_part(stream, '.', 3) = any($1::text[])`,
};

interface Row {
  revision: bigint;
  position: bigint;
  last_folded: bigint;
  recorded_through: string;
  given_through: string;
  state: string;
}

interface Offered {
  rules: SnapshotRules;
  stream: string;
  folded: KeptState<unknown>;
  isWanted: () => Promise<boolean>;
  /** Whether the other folds of its group are to follow. */
  leads: boolean;
}

/** Brings the state of a stream up to date in another fold, which offers it to be kept where enough has happened. */
type CatchUp = (stream: string, work: Work) => Promise<void>;

/**
 * Snapshots of folded states, as rows beside the read models: written after the answer, one at a time, and given up
 * where writing fails. With one fold of a stream the others of its group follow, in their own time. No answer depends on
 * them but by the time that it takes. An older state never replaces a newer one, and rows of another version of the fold
 * are never read.
 */
export class SnapshotStore {
  private readonly waiting = new Map<string, Offered>();
  /** Streams of which a fold was kept that others are to follow, with that fold. */
  private readonly led = new Map<string, SnapshotRules>();
  private readonly tidied = new Set<string>();
  private writing: Promise<void> | null = null;
  private bringing: Promise<void> | null = null;
  /** Folds by the group that they belong to, and by name. */
  private readonly followers = new Map<string, Map<string, CatchUp>>();
  /** The stream that followers are catching up with. */
  private followed: string | null = null;
  private isStopped = false;

  /**
   * `reads`: connections for states that a request waits for. `writes`: connections for snapshots, which no request waits
   * for. `every`: how many events of a stream lie between two snapshots.
   */
  constructor(
    private readonly reads: Queries,
    private readonly writes: Queries = reads,
    readonly every: number = EVERY,
  ) {}

  /** The newest state within a bound; null where there is none, and where the database is away. */
  async newest<S>({ name, version }: SnapshotRules, stream: string, bound: FoldedBefore): Promise<KeptState<S> | null> {
    const { revision = null, position = null, recordedThrough = null, givenThrough = null } = bound;
    const values = [stream, name, version, revision, position, recordedThrough, givenThrough];
    const [row] = await this.reads.query<Row>(NEWEST, values).catch(() => []);
    return row ? (foldedOf(row) as KeptState<S>) : null;
  }

  /**
   * Has a state written when there is time. `isWanted` is asked when it stands, since the stream may have been erased
   * meanwhile; where it does not say so, nothing of the stream is kept. `leads`: the other folds of its group follow.
   * False where too many wait already.
   */
  offer<S>(
    rules: SnapshotRules,
    stream: string,
    folded: KeptState<S>,
    isWanted: () => Promise<boolean>,
    { leads = true } = {},
  ): boolean {
    const key = `${rules.name} ${stream}`;
    if (this.isStopped || (!this.waiting.has(key) && this.waiting.size >= MOST_WAITING)) return false;
    this.waiting.set(key, { rules, stream, folded, isWanted, leads: leads && stream !== this.followed });
    this.writing ??= this.writeAll();
    return true;
  }

  /** Has a fold catch up whenever another one of its group was kept. */
  follow({ name, group }: SnapshotRules, catchUp: CatchUp): void {
    if (group === undefined) return;
    const folds = this.followers.get(group) ?? new Map<string, CatchUp>();
    this.followers.set(group, folds.set(name, catchUp));
  }

  /** Resolves when nothing waits any more. */
  async idle(): Promise<void> {
    while (this.writing ?? this.bringing) await Promise.all([this.writing, this.bringing]);
  }

  /** Resolves when what is being written stands. Whatever waits is given up: it is offered again when it is needed. */
  async stop(): Promise<void> {
    this.isStopped = true;
    this.waiting.clear();
    this.led.clear();
    await this.idle();
  }

  /** Nothing is kept of these subjects' streams any more. */
  async forget(subjectIds: readonly string[]): Promise<void> {
    await this.writes.query(FORGET_SUBJECTS, [subjectIds]);
  }

  /** Those of a stream go, if they can: they do not fit the log. */
  async drop(stream: string): Promise<void> {
    await this.writes.query(FORGET_STREAM, [stream]).catch(() => undefined);
  }

  private async writeAll(): Promise<void> {
    for (const [key, offered] of this.waiting) {
      this.waiting.delete(key);
      const { rules, stream, leads } = offered;
      const isKept = await this.write(offered).catch(() => false);
      if (!isKept || !leads || rules.group === undefined || this.isStopped || this.led.size >= MOST_WAITING) continue;
      this.led.set(stream, rules);
      this.bringing ??= this.bringOthers();
    }
    this.writing = null;
  }

  private async bringOthers(): Promise<void> {
    for (const [stream, { name, group }] of this.led) {
      this.led.delete(stream);
      this.followed = stream;
      for (const [other, catchUp] of this.followers.get(group!) ?? [])
        if (other !== name) await catchUp(stream, this.untilStop()).catch(() => undefined);
      this.followed = null;
    }
    this.bringing = null;
  }

  /** Reading ahead for later requests ends after the page at which the process stops. */
  private untilStop(): Work {
    return {
      folded: () => {
        if (this.isStopped) throw new Error('the process ends');
      },
    };
  }

  private async write({ rules: { name, version }, stream, folded, isWanted }: Offered): Promise<boolean> {
    const of = [stream, name, version];
    const rows = await this.writes.query<{ revision: bigint }>(REVISIONS, of);
    const kept = rows.map(({ revision }) => Number(revision));
    if (kept.length > 0 && kept[0]! >= folded.revision) return false;
    const { revision, position, lastFolded, recordedThrough, givenThrough, state } = folded;
    const text = snapshotText(state);
    await this.writes.query(WRITE, [
      ...of,
      revision,
      position,
      lastFolded,
      recordedThrough,
      givenThrough,
      text,
      surplus([revision, ...kept], MOST_KEPT),
    ]);
    const isStillWanted = await isWanted().catch(() => false);
    if (!isStillWanted) await this.writes.query(FORGET_STREAM, [stream]);
    await this.tidy(name, version);
    return isStillWanted;
  }

  /** Once in the life of a process. */
  private async tidy(name: string, version: string): Promise<void> {
    if (this.tidied.has(name)) return;
    this.tidied.add(name);
    await this.writes.query(FORGET_OTHER_VERSIONS, [name, version]);
  }
}

const foldedOf = (row: Row): KeptState<unknown> => ({
  revision: Number(row.revision),
  position: row.position as Position,
  lastFolded: Number(row.last_folded),
  recordedThrough: row.recorded_through,
  givenThrough: row.given_through,
  state: stateOfText(row.state),
});
