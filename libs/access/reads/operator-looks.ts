import type { Queries } from '../../engines/database/database.js';
import { readOf, type ReadsRow, type SubjectRead } from './list-reads.js';

/** Which looks are wanted: before a place, newest first by their first read. */
export interface LooksWanted {
  /** `opt_…` or `opr_…`; null: every operator. */
  operator: string | null;
  /** Null: every site. */
  sites: readonly string[] | null;
  before: { at: string; key: string };
  from: string;
  limit: number;
}

/** A look of an operator at a person, or several in one hour through one operation. */
export interface OperatorLook extends SubjectRead {
  site: string;
  env: string;
}

/** The last sort key, after the time. */
export const keyOfLook = ({ subjectId, reader, operation }: SubjectRead): string =>
  `${subjectId ?? '*'} ${reader} ${operation}`;

// What a command at the machine reads, and what is shown in clear, stands in events of the log.
const LOOKS = `reader like 'operator:%' and reader not like '%@%' and operation <> 'revealIdentifiers'`;
const KEY = `(subject_id || ' ' || reader || ' ' || operation)`;
const newest = (which: string): string => `
  select subject_id, reader, operation, hour, reads::float8 as reads, first_at, last_at, site, env
  from write.subject_reads
  where ${LOOKS}${which} and first_at <= $1::timestamptz and first_at >= $3::timestamptz
    and (first_at < $1::timestamptz or ${KEY} < $2)
  order by first_at desc, ${KEY} desc limit $4`;
const ALL = { name: 'subject_looks_all', text: newest('') };
const BY_ONE = { name: 'subject_looks_by', text: newest(' and reader = $5') };
const IN_SITES = {
  name: 'subject_looks_in',
  text: `select found.* from unnest($5::text[]) as wanted(name)
         cross join lateral (${newest(' and site = wanted.name')}) found
         order by first_at desc, ${KEY} desc limit $4`,
};

/** Looks of operators at persons. Those of the last second may be missing. Rejects with DependencyUnavailable. */
export async function operatorLooks(
  database: Pick<Queries, 'query'>,
  { operator, sites, before, from, limit }: LooksWanted,
): Promise<OperatorLook[]> {
  const values = [before.at, before.key, from, limit];
  const rows = await (operator !== null
    ? database.query<LooksRow>(BY_ONE, [...values, `operator:${operator}`])
    : sites !== null
      ? database.query<LooksRow>(IN_SITES, [...values, sites])
      : database.query<LooksRow>(ALL, values));
  return rows.map((row) => ({ ...readOf(row), site: row.site, env: row.env }));
}

interface LooksRow extends ReadsRow {
  site: string;
  env: string;
}
