import type { Database, Queries } from '../engines/database/database.js';
import { GroupCommit } from '../engines/database/group-commit.js';
import type { NotedAttempt, Outcome } from './delivery.js';

/** A report that fails is tried again after as long as it has been failing, within these. */
const REPORT_AGAIN_SECONDS = { min: 5, max: 3_600 };

/** While several attempts end at once, their notes are gathered for so long. A process that dies before delivers them again. */
const GATHER_MS = 10;

// One statement for all that ended meanwhile. A row that is put off and one that is settled differ in what is null.
const NOTE = {
  name: 'deliveries_note',
  text: `update deliveries.delivery d
         set lease = case when w.outcome is null or w.finished then null else d.lease end,
             due_at = case when w.outcome is null then now() + make_interval(secs => w.seconds) else d.due_at end,
             last_reason = coalesce(w.reason, d.last_reason), outcome = w.outcome,
             payload = case when w.outcome is null then d.payload end,
             settled_at = case when w.outcome is not null then now() end,
             finished_at = case when w.finished then now() end
         from unnest($1::bigint[], $2::uuid[], $3::float8[], $4::text[], $5::jsonb[], $6::boolean[]) as w(id, lease, seconds, reason, outcome, finished)
         where d.id = w.id and d.lease = w.lease and d.finished_at is null and d.outcome is null returning d.id`,
};
const OURS = 'id = $1 and lease = $2 and finished_at is null';
const FINISH = {
  name: 'deliveries_finish',
  text: `update deliveries.delivery set lease = null, finished_at = now() where ${OURS}`,
};
const REPORT_AGAIN = {
  name: 'deliveries_report_again',
  text: `update deliveries.delivery set lease = null, due_at = now() + make_interval(secs => greatest($3, least($4, extract(epoch from now() - settled_at)))) where ${OURS}`,
};

/** What became of an attempt: put off, or settled; from then on it is never delivered again. */
export type Note<E> = { id: bigint; lease: string; attempt: NotedAttempt<E> | null } & (
  { afterMs: number; reason: string } | { outcome: Outcome<E>; isFinished: boolean }
);

/** Called in the transaction that notes them. */
export type OnAttempts<E> = (tx: Queries, attempts: readonly NotedAttempt<E>[]) => Promise<void>;

/** Writes down what became of rows that are ours. What ends while a group is written goes together in the next. */
export class Notes<E> {
  private readonly group: GroupCommit<Note<E>, boolean>;

  constructor(
    private readonly database: Database,
    private readonly onAttempts?: OnAttempts<E>,
  ) {
    this.group = new GroupCommit((notes) => this.write(notes), { gatherMs: GATHER_MS });
  }

  /** False where the row is not ours any more. */
  note(note: Note<E>): Promise<boolean> {
    return this.group.submit(note);
  }

  async finish(id: bigint, lease: string): Promise<void> {
    await this.database.query(FINISH, [id, lease]);
  }

  async reportAgain(id: bigint, lease: string): Promise<void> {
    await this.database.query(REPORT_AGAIN, [id, lease, REPORT_AGAIN_SECONDS.min, REPORT_AGAIN_SECONDS.max]);
  }

  private async write(notes: readonly Note<E>[]): Promise<boolean[]> {
    const { onAttempts } = this;
    const noted = onAttempts
      ? await this.database.transaction(async (tx) => {
          const ids = await update(tx, notes);
          const attempts = notes.flatMap(({ id, attempt }) => (attempt && ids.has(id) ? [attempt] : []));
          if (attempts.length > 0) await onAttempts(tx, attempts);
          return ids;
        })
      : await update(this.database, notes);
    return notes.map(({ id }) => noted.has(id));
  }
}

/** Answers the ids of those that were ours. By id, so that rivals for rows wait for each other and do not lock each other out. */
async function update<E>(queries: Queries, notes: readonly Note<E>[]): Promise<ReadonlySet<bigint>> {
  const sorted = [...notes].sort((a, b) => (a.id < b.id ? -1 : 1));
  const rows = await queries.query<{ id: bigint }>(NOTE, [
    sorted.map(({ id }) => id),
    sorted.map(({ lease }) => lease),
    sorted.map((note) => ('afterMs' in note ? note.afterMs / 1000 : null)),
    sorted.map((note) => ('afterMs' in note ? note.reason : null)),
    sorted.map((note) => ('outcome' in note ? JSON.stringify(note.outcome) : null)),
    sorted.map((note) => 'outcome' in note && note.isFinished),
  ]);
  return new Set(rows.map(({ id }) => id));
}
