import type { Database, Statement } from '../../engines/database/database.js';
import { GroupCommit } from '../../engines/database/group-commit.js';
import type { Projection } from './projection.js';
import { viewOf } from './read-table.js';

/** What a row says of a subject. */
export interface StateRow<S> {
  subjectId: string;
  /** -1 where there is no row. */
  revision: number;
  state: S;
}

interface FoundRow<S> {
  version: number;
  subject_id: string;
  /** Null where there is no row. */
  revision: bigint | null;
  state: S;
}

/**
 * How a read model is read that has one row per subject, with the revision and the state of its fold. Rows that are
 * asked for at the same time are read by one statement.
 */
export class StateRows<S> {
  private readonly statement: Statement;
  private readonly finding: GroupCommit<string, StateRow<S> | null>;

  constructor(
    private readonly database: Database,
    private readonly projection: Pick<Projection<unknown>, 'name' | 'version'>,
    private readonly initial: () => S,
  ) {
    const { name } = projection;
    this.statement = {
      name: `${name}_of_subjects`,
      // The view cannot be switched to another generation while a statement that names it runs. The limit keeps Postgres
      // at one look into the index for each: a join it would plan for the table as it first was, empty.
      text: `select live.version, w.subject_id, r.revision, r.state from projection.generations live
             cross join unnest($1::text[]) as w(subject_id)
             left join lateral (select s.revision, s.state from ${viewOf(name)} s where s.subject_id = w.subject_id limit 1) r on true
             where live.name = '${name}' and live.live`,
    };
    this.finding = new GroupCommit((subjectIds) => this.findGroup(subjectIds));
  }

  /**
   * The row of a subject; nothing recorded where there is none (yet). Null where the rows that are shown are those of
   * another version, as while releases change: they were folded by other rules, and an answer of this release that was
   * made of them would keep its ETag when its own rows take their place.
   */
  find(subjectId: string): Promise<StateRow<S> | null> {
    return this.finding.submit(subjectId);
  }

  private async findGroup(subjectIds: readonly string[]): Promise<(StateRow<S> | null)[]> {
    const rows = await this.database.query<FoundRow<S>>(this.statement, [subjectIds]);
    const bySubject = new Map(rows.map((row) => [row.subject_id, row]));
    return subjectIds.map((subjectId) => {
      const row = bySubject.get(subjectId);
      if (row?.version !== this.projection.version) return null;
      return row.revision === null
        ? { subjectId, revision: -1, state: this.initial() }
        : { subjectId, revision: Number(row.revision), state: row.state };
    });
  }
}
