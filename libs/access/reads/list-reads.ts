import type { Instant, Scope } from '../../kernel/index.js';
import type { Queries } from '../../engines/database/database.js';
import { EVERYBODY } from './subject-reads.js';

/** Which reads are asked for. Null: whichever. */
export interface ReadsWanted extends Scope {
  /** A subject with all that were merged into it. What was read of everybody at once is always among the answers. */
  subjectIds: readonly string[] | null;
  /** Id of a key, or `operator:…`. */
  reader: string | null;
  /** Inclusive, as far as hours tell: an hour of which any read may lie in the range is shown whole. */
  from: Instant | null;
  /** Exclusive, likewise. */
  to: Instant | null;
  /** The last one of the page before. */
  after: ReadsPlace | null;
  limit: number;
}

/** All reads of an hour of one subject by one reader in one way. */
export interface SubjectRead {
  /** Null: everybody's, by an export of a whole site. */
  subjectId: string | null;
  reader: string;
  operation: string;
  hour: Instant;
  reads: number;
  firstAt: Instant;
  lastAt: Instant;
}

/** Sort keys of a read: newest hour first. */
export type ReadsPlace = readonly [hour: Instant, subjectId: string, reader: string, operation: string];

export const placeOf = ({ hour, subjectId, reader, operation }: SubjectRead): ReadsPlace => [
  hour,
  subjectId ?? EVERYBODY,
  reader,
  operation,
];

// Not prepared: the conditions that are left out must not stand in the way of the index.
const LIST = `
  select subject_id, reader, operation, hour, reads::float8 as reads, first_at, last_at from write.subject_reads
  where ($1::text[] is null or subject_id = any($1))
    and site = any($2) and env = any($3)
    and ($4::text is null or reader = $4)
    and ($5::timestamptz is null or (hour >= date_trunc('hour', $5::timestamptz, 'UTC') and last_at >= $5))
    and ($6::timestamptz is null or (hour < $6 and first_at < $6))
    and ($7::timestamptz is null or hour < $7 or (hour = $7 and (subject_id, reader, operation) > ($8, $9, $10)))
  order by hour desc, subject_id, reader, operation limit $11`;

/**
 * Who read of whom, newest hour first. Reads of the last second may be missing. Of a subject by its index;
 * without one all hours of the range are looked through. Rejects with DependencyUnavailable.
 */
export async function listReads(database: Pick<Queries, 'run'>, wanted: ReadsWanted): Promise<SubjectRead[]> {
  const { subjectIds, site, env, reader, from, to, after, limit } = wanted;
  const rows = await database.run<ReadsRow>(LIST, [
    subjectIds && [...subjectIds, EVERYBODY],
    [site, EVERYBODY],
    [env, EVERYBODY],
    reader,
    from,
    to,
    ...(after ?? [null, null, null, null]),
    limit,
  ]);
  return rows.map((row) => ({
    subjectId: row.subject_id === EVERYBODY ? null : row.subject_id,
    reader: row.reader,
    operation: row.operation,
    hour: row.hour.toISOString(),
    reads: row.reads,
    firstAt: row.first_at.toISOString(),
    lastAt: row.last_at.toISOString(),
  }));
}

interface ReadsRow {
  subject_id: string;
  reader: string;
  operation: string;
  hour: Date;
  reads: number;
  first_at: Date;
  last_at: Date;
}

/** All of them, page by page. */
export async function* everyRead(
  database: Pick<Queries, 'run'>,
  wanted: Omit<ReadsWanted, 'after' | 'limit'>,
): AsyncGenerator<SubjectRead> {
  const limit = 1_000;
  for (let after: ReadsPlace | null = null; ;) {
    const page: SubjectRead[] = await listReads(database, { ...wanted, after, limit });
    yield* page;
    if (page.length < limit) return;
    after = placeOf(page.at(-1)!);
  }
}
