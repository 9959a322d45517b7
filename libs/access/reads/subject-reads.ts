import type { Environment, Reader } from '../../kernel/index.js';
import type { Queries } from '../../engines/database/database.js';
import { actorOf } from '../../commands/commands.js';
import { GatheredNotes } from '../gathered-notes.js';

/** Reads of one subject by one reader through one operation. */
export interface NotedReads {
  subjectId: string;
  /**
   * Id of the secret key, `operator:<id>` of an operator's token, or `operator:<user>@<host>` of an operator at the
   * command line.
   */
  reader: string;
  /** Id of the operation, or the name of the command. */
  operation: string;
  site: string;
  env: Environment | typeof EVERYBODY;
  reads: number;
  /** In ms since 1970, as `lastMs`. */
  firstMs: number;
  lastMs: number;
}

/** In place of a subject, a site or an environment: the reader read all of them. */
export const EVERYBODY = '*';

// In the order of the rows, so that two processes cannot deadlock.
const WRITE = {
  name: 'subject_reads_write',
  text: `insert into write.subject_reads as r (subject_id, hour, reader, operation, site, env, reads, first_at, last_at)
         select subject_id, date_trunc('hour', first_at, 'UTC') as hour, reader, operation, site, env, reads, first_at, last_at
         from (
           select subject_id, way, reads, to_timestamp(first_ms / 1000.0) as first_at, to_timestamp(last_ms / 1000.0) as last_at
           from unnest($1::text[], $2::int[], $3::bigint[], $4::bigint[], $5::bigint[]) as w(subject_id, way, reads, first_ms, last_ms)
         ) noted
         join unnest($6::text[], $7::text[], $8::text[], $9::text[]) with ordinality as ways(reader, operation, site, env, way) using (way)
         order by subject_id collate "C", hour, reader collate "C", operation collate "C"
         on conflict (subject_id, hour, reader, operation) do update
         set reads = r.reads + excluded.reads,
             first_at = least(r.first_at, excluded.first_at), last_at = greatest(r.last_at, excluded.last_at)`,
};

/**
 * Writes reads as one group. If the outcome of a group is unknown and it is written again, its reads may count twice.
 * Reader and operation are sent once and not with each subject: nearly all of a group has the same few.
 */
export async function writeReads(database: Pick<Queries, 'query'>, group: readonly NotedReads[]): Promise<void> {
  const ways = new Map<string, { number: number; of: NotedReads }>();
  const wayOf = (of: NotedReads): number => {
    const name = `${of.reader}\n${of.operation}\n${of.site}\n${of.env}`;
    let way = ways.get(name);
    if (!way) ways.set(name, (way = { number: ways.size + 1, of }));
    return way.number;
  };
  const numbers = (each: (noted: NotedReads) => number): string => `{${group.map(each).join()}}`;
  const inWays = numbers(wayOf);
  const distinct = [...ways.values()].map(({ of }) => of);
  await database.query(WRITE, [
    group.map(({ subjectId }) => subjectId),
    inWays,
    numbers(({ reads }) => reads),
    numbers(({ firstMs }) => firstMs),
    numbers(({ lastMs }) => lastMs),
    distinct.map(({ reader }) => reader),
    distinct.map(({ operation }) => operation),
    distinct.map(({ site }) => site),
    distinct.map(({ env }) => env),
  ]);
}

/**
 * Counts which secret key read what of which subject. Every read is counted before it is answered: a request leaves a
 * note in memory, and each process writes its notes together.
 */
export class SubjectReads {
  private readonly notes: GatheredNotes<NotedReads> | null;

  constructor(
    /** null: no access log is kept. */
    database: Pick<Queries, 'query'> | null,
    private readonly clockMs: () => number = Date.now,
  ) {
    this.notes =
      database &&
      new GatheredNotes({
        write: (group) => writeReads(database, group),
        add: (noted, { reads, lastMs }) => ({ ...noted, reads: noted.reads + reads, lastMs }),
        what: 'access log',
      });
  }

  /**
   * Notes nothing for public keys, by which people read about themselves. Notes operators by their token. Throws
   * DependencyUnavailable if too many notes wait because the database is away: a read that cannot be counted is not
   * answered.
   */
  note({ kind, keyId, operation, site, env }: Reader, subjectId: string): void {
    if ((kind !== 'sk' && kind !== 'operator') || this.notes === null) return;
    const at = this.clockMs();
    const reader = actorOf({ kind, keyId });
    const name = `${subjectId} ${reader} ${operation}`;
    const noted = this.notes.get(name);
    if (noted) {
      noted.reads++;
      noted.lastMs = at;
      return;
    }
    this.notes.begin(name, { subjectId, reader, operation, site, env, reads: 1, firstMs: at, lastMs: at });
  }

  /** Writes the waiting notes. Rejects with DependencyUnavailable; notes that could not be written go on waiting. */
  async write(): Promise<void> {
    await this.notes?.write();
  }

  async stop(): Promise<void> {
    await this.notes?.stop();
  }
}
