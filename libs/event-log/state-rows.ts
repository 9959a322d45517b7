import type { Database, Statement } from '../platform/database/database.js';
import type { Projection } from './projection.js';
import { viewOf } from './read-table.js';

/** What a row says of a subject. */
export interface StateRow<S> {
  subjectId: string;
  /** -1 where there is no row. */
  revision: number;
  state: S;
}

/** How a read model is read that has one row per subject, with the revision and the state of its fold. */
export class StateRows<S> {
  private readonly statement: Statement;

  constructor(
    private readonly database: Database,
    private readonly projection: Pick<Projection<unknown>, 'name' | 'version'>,
    private readonly initial: () => S,
  ) {
    const { name } = projection;
    this.statement = {
      name: `${name}_of_subject`,
      // The view cannot be switched to another generation while a statement that names it runs.
      text: `select live.version, r.revision, r.state from projection.generations live
             left join ${viewOf(name)} r on r.subject_id = $1 where live.name = '${name}' and live.live`,
    };
  }

  /**
   * The row of a subject; nothing recorded where there is none (yet). Null where the rows that are shown are those of
   * another version, as while releases change: they were folded by other rules, and an answer of this release that was
   * made of them would keep its ETag when its own rows take their place.
   */
  async find(subjectId: string): Promise<StateRow<S> | null> {
    const [row] = await this.database.query<{ version: number; revision: bigint | null; state: S }>(this.statement, [
      subjectId,
    ]);
    if (row?.version !== this.projection.version) return null;
    return row.revision === null
      ? { subjectId, revision: -1, state: this.initial() }
      : { subjectId, revision: Number(row.revision), state: row.state };
  }
}
