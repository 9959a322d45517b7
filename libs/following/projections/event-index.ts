import type { Environment, Position, ReadProgress } from '../../kernel/index.js';
import type { Database, Statement } from '../../engines/database/database.js';
import { DependencyUnavailable } from '../../engines/dependency-unavailable.js';
import type { EventLog } from '../../log/port.js';
import { viewOf } from './read-table.js';

/** How long a look-up waits for rows that are behind the log, in ms. */
const BEHIND_MS = 1_500;

/** Where an event about a subject stands. */
export interface EventPlace {
  site: string;
  env: Environment;
  subjectId: string;
  revision: number;
}

interface PlaceRow {
  site: string;
  env: Environment;
  subject_id: string;
  revision: bigint;
}

/**
 * Finds an event by the id that stands in it. The index is a read model with one row per event, whose columns `site`,
 * `env`, `subject_id` and `revision` say where the event stands: one look-up by primary key, however long the log is.
 */
export class EventIndex {
  private readonly statement: Statement;

  constructor(
    private readonly database: Database,
    private readonly log: Pick<EventLog, 'head'>,
    private readonly progress: ReadProgress,
    { name, table }: { name: string; table: { keyColumn: string } },
  ) {
    this.statement = {
      name: `${name}_place`,
      text: `select site, env, subject_id, revision from ${viewOf(name)} where ${table.keyColumn} = $1`,
    };
  }

  /**
   * Null where no event of the log has this id. The rows may be behind the log, so that a miss only counts once they
   * have reached the position `after`, or where none is known the end of the log. Rejects with DependencyUnavailable
   * where that takes too long.
   */
  async find(id: string, after: Position | null): Promise<EventPlace | null> {
    const known = await this.look(id);
    if (known) return known;
    if (!(await this.progress.reached(after ?? (await this.log.head()), BEHIND_MS)))
      throw new DependencyUnavailable('read models');
    return this.look(id);
  }

  private async look(id: string): Promise<EventPlace | null> {
    const [row] = await this.database.query<PlaceRow>(this.statement, [id]);
    return row ? { site: row.site, env: row.env, subjectId: row.subject_id, revision: Number(row.revision) } : null;
  }
}
