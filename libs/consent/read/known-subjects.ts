import { Injectable } from '@nestjs/common';
import type { Instant, Scope } from '../../kernel/index.js';
import { Database } from '../../engines/database/database.js';
import { DependencyUnavailable } from '../../engines/dependency-unavailable.js';
import { NOT_ERASED } from '../../commands/erased-subjects.js';
import type { ConsentState } from '../state.js';
import type { PurposeInForce } from '../view.js';
import { consentStateProjection } from './projection.js';

/** How many rows one statement looks at where nothing else is said: a bound for its time and for what is in memory at once. */
const ROWS_AT_ONCE = 2_000;

/** A part of the subjects of a site. */
export interface SubjectsPage {
  subjects: readonly { subjectId: string; state: ConsentState }[];
  /** The row that was looked at last; null where there are no more. */
  last: string | null;
}

/** A purpose as it is in force at an instant. */
interface Renewing {
  purpose: Pick<PurposeInForce, 'key' | 'lastMaterialVersion' | 'vendorsAskMoreSince'>;
  at: Instant;
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
 * Which decisions `renewalOf` may want renewed, judged where they stand: nearly all of a large installation need not be
 * asked again, and to send and parse them took most of the time of a page. Instants compare as texts.
 */
const MAY_WANT_RENEWAL = `case decided ->> 'state'
  when 'EXPIRED' then true
  when 'ACKNOWLEDGED' then decided ->> 'expiresAt' <= $6::text collate "C"
  when 'GRANTED' then decided ->> 'expiresAt' <= $6::text collate "C" or (decided -> 'purposeVersion')::int < $7::int or decided ->> 'givenAt' < $8::text collate "C"
end`;

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
           and ($4::text is null or exists (select from (select t.state -> 'purposes' -> $4::text as decided) as p where ${MAY_WANT_RENEWAL}))
           and t.state -> 'standing' ->> 'merged' is null and t.state -> 'standing' ->> 'erasedAt' is null and ${NOT_ERASED}
         where live.name = '${consentStateProjection.name}' and live.live
         order by t.subject_id`,
};

/** The subjects of a site with their consent, page after page in the order of their ids: from the read model. */
@Injectable()
export class KnownSubjects {
  constructor(private readonly database: Database) {}

  /**
   * Those after an id, among at most `rows` rows. `renewing`: only those whose decision on this purpose may want renewal
   * at an instant. Rejects with DependencyUnavailable while the rows are those of another release.
   */
  async page(
    scope: Scope,
    after: string,
    { renewing = null, rows: limit = ROWS_AT_ONCE }: { renewing?: Renewing | null; rows?: number } = {},
  ): Promise<SubjectsPage> {
    const { key = null, lastMaterialVersion = 0, vendorsAskMoreSince = null } = renewing?.purpose ?? {};
    const rows = await this.database.query<Found>(PAGE, [
      scope.site,
      scope.env,
      after,
      key,
      limit,
      renewing?.at ?? null,
      lastMaterialVersion,
      vendorsAskMoreSince,
    ]);
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
