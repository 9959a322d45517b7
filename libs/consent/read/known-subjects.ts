import { Injectable } from '@nestjs/common';
import type { Scope } from '../../kernel/index.js';
import { Database } from '../../engines/database/database.js';
import { DependencyUnavailable } from '../../engines/dependency-unavailable.js';
import { NOT_ERASED } from '../../commands/erased-subjects.js';
import type { ConsentState } from '../state.js';
import { consentStateProjection } from './projection.js';

/** How many rows one statement looks at where nothing else is said: a bound for its time and for what is in memory at once. */
const ROWS_AT_ONCE = 2_000;

/** A part of the subjects of a site. */
export interface SubjectsPage {
  subjects: readonly { subjectId: string; state: ConsentState }[];
  /** The row that was looked at last; null where there are no more. */
  last: string | null;
}

interface Found {
  version: number;
  last: string | null;
  looked: number;
  /** Null where none of the rows that were looked at is wanted. */
  subject_id: string | null;
  state: ConsentState;
}

/**
 * Looks at a bounded number of rows of all subjects, so that one call costs the same on a large installation. Subjects that
 * were merged into another one or erased are left out: their own rows say nothing any more.
 */
const PAGE = {
  name: 'consent_known_subjects',
  text: `with looked as materialized (
           select subject_id, site, env, state from read.consent_state where subject_id > $3 order by subject_id limit $5
         )
         select live.version, (select max(subject_id) from looked) as last, (select count(*)::int from looked) as looked,
                t.subject_id, t.state
         from projection.generations live
         left join looked t on t.site = $1 and t.env = $2
           and ($4::text is null or t.state -> 'purposes' -> $4 ->> 'state' in ('GRANTED', 'ACKNOWLEDGED', 'EXPIRED'))
           and t.state -> 'standing' ->> 'merged' is null and t.state -> 'standing' ->> 'erasedAt' is null and ${NOT_ERASED}
         where live.name = '${consentStateProjection.name}' and live.live
         order by t.subject_id`,
};

/** The subjects of a site with their consent, page after page in the order of their ids: from the read model. */
@Injectable()
export class KnownSubjects {
  constructor(private readonly database: Database) {}

  /**
   * Those after an id, among at most `rows` rows. `holding`: only those who granted or acknowledged this purpose, whether
   * or not that has run out. Rejects with DependencyUnavailable while the rows are those of another release.
   */
  async page(
    scope: Scope,
    after: string,
    { holding = null, rows: limit = ROWS_AT_ONCE }: { holding?: string | null; rows?: number } = {},
  ): Promise<SubjectsPage> {
    const rows = await this.database.query<Found>(PAGE, [scope.site, scope.env, after, holding, limit]);
    const [first] = rows;
    if (first?.version !== consentStateProjection.version) throw new DependencyUnavailable('read model');
    return {
      subjects: rows.flatMap(({ subject_id, state }) =>
        subject_id === null ? [] : [{ subjectId: subject_id, state }],
      ),
      last: first.looked < limit ? null : first.last,
    };
  }
}
