import type { Instant, Scope } from '../../kernel/index.js';
import type { Queries } from '../../engines/database/database.js';
import { EVERYBODY } from './subject-reads.js';

/** Which reads are wanted. Null: no condition. */
export interface ReadsWanted extends Scope {
  /** A subject and all that were merged into it. The answer also holds reads of a whole site or installation. */
  subjectIds: readonly string[] | null;
  /** Id of a key, or `operator:…`. */
  reader: string | null;
  /** Inclusive, by the hour: an hour that overlaps the range is shown whole. */
  from: Instant | null;
  /** Exclusive, likewise. */
  to: Instant | null;
  /** The last read of the page before. */
  after: ReadsPlace | null;
  limit: number;
}

/** Reads in one hour of one subject by one reader through one operation. */
export interface SubjectRead {
  /** Null: all subjects, by an export of a whole site. */
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

// Not prepared: a generic plan for the optional conditions would not use the index.
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
 * The access log: which reader read which subject, newest hour first. Reads of the last second may be missing. Finds a
 * subject by its index; without one it reads all hours of the range. Rejects with DependencyUnavailable.
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
  return rows.map(readOf);
}

/** Which reads by reader are wanted. */
export interface ReadsByReader extends Scope {
  /** Id of a key, or `operator:…`; null: every operator. */
  reader: string | null;
  from: Instant | null;
  to: Instant | null;
  after: ReadsPlace | null;
  limit: number;
}

// By the index of one reader, or by that of all operators: the page before ends where the next one begins.
const BY_READER = {
  one: `reader = $3 and ($6::timestamptz is null or (hour, subject_id, operation) < ($6, $7, $9))`,
  operators: `reader like 'operator:%' and $3::text is null
    and ($6::timestamptz is null or (hour, subject_id, reader, operation) < ($6, $7, $8, $9))`,
};
const byReader = (which: string): string => `
  select subject_id, reader, operation, hour, reads::float8 as reads, first_at, last_at from write.subject_reads
  where site = $1 and env = $2 and ${which}
    and ($4::timestamptz is null or (hour >= date_trunc('hour', $4::timestamptz, 'UTC') and last_at >= $4))
    and ($5::timestamptz is null or (hour < $5 and first_at < $5))
    and ($8::text is null or true) and ($9::text is null or true)
  order by hour desc, subject_id desc, reader desc, operation desc limit $10`;

/** Reads of one site and environment by who read, newest hour first. Rejects with DependencyUnavailable. */
export async function readsByReader(
  database: Pick<Queries, 'run'>,
  { site, env, reader, from, to, after, limit }: ReadsByReader,
): Promise<SubjectRead[]> {
  const statement = byReader(reader === null ? BY_READER.operators : BY_READER.one);
  const place = after ?? [null, null, null, null];
  return (await database.run<ReadsRow>(statement, [site, env, reader, from, to, ...place, limit])).map(readOf);
}

export const readOf = (row: ReadsRow): SubjectRead => ({
  subjectId: row.subject_id === EVERYBODY ? null : row.subject_id,
  reader: row.reader,
  operation: row.operation,
  hour: row.hour.toISOString(),
  reads: row.reads,
  firstAt: row.first_at.toISOString(),
  lastAt: row.last_at.toISOString(),
});

export interface ReadsRow {
  subject_id: string;
  reader: string;
  operation: string;
  hour: Date;
  reads: number;
  first_at: Date;
  last_at: Date;
}

/** All reads, page by page. */
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
