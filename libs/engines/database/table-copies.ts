import { createHash } from 'node:crypto';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { Queries, Statement } from './database.js';
import { translated } from './failures.js';

const CONNECT_MS = 10_000;

/** A table as it can be copied, whole with its partitions. */
export interface CopyableTable {
  /** With its schema. */
  name: string;
  columns: string[];
  /** About how large it is on disk. */
  bytes: number;
}

/** Size and digest of one copied table. */
export interface Copied {
  rows: number;
  /** Of the text form of COPY. */
  bytes: number;
  /** Of that text, in hex. */
  sha256: string;
}

const TABLES = `
  select n.nspname || '.' || c.relname as name,
    (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
     where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
    (pg_table_size(c.oid) + coalesce((select sum(pg_table_size(relid)) from pg_partition_tree(c.oid)), 0))::float8 as bytes
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any($1) and c.relkind in ('r', 'p') and not c.relispartition
  order by 1`;
const NUMBERED = `
  select attname::text as column from pg_attribute where attrelid = $1::regclass and attidentity <> '' and not attisdropped`;

/**
 * Copies whole tables to and from the text form of COPY, which every version of Postgres reads. All in one transaction:
 * a copy out shows one moment, a copy in is complete or not there at all. There is no limit of time.
 */
export class TableCopies implements Queries {
  private constructor(private readonly client: pg.Client) {}

  /** Commits when `work` resolves. Rejects with DependencyUnavailable where the database does not answer. */
  static async within<T>(
    url: string,
    access: 'read only' | 'read write',
    work: (copies: TableCopies) => Promise<T>,
  ): Promise<T> {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'assent copies',
      connectionTimeoutMillis: CONNECT_MS,
    });
    // Without a listener, a lost connection would end the process. What is under way rejects by itself.
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query(`begin isolation level repeatable read, ${access}`);
      const done = await work(new TableCopies(client));
      await client.query('commit');
      return done;
    } catch (error) {
      throw translated(error);
    } finally {
      // Without a commit the server rolls back.
      await client.end().catch(() => undefined);
    }
  }

  query<R>({ text }: Statement, values: readonly unknown[]): Promise<R[]> {
    return this.run<R>(text, values);
  }

  async run<R>(text: string, values: readonly unknown[] = []): Promise<R[]> {
    return (await this.client.query(text, values as unknown[])).rows as R[];
  }

  tables(schemas: readonly string[]): Promise<CopyableTable[]> {
    return this.run<CopyableTable>(TABLES, [schemas]);
  }

  async isEmpty({ name }: CopyableTable): Promise<boolean> {
    const [row] = await this.run<{ held: boolean }>(`select exists (select 1 from ${quoted(name)}) as held`);
    return !row!.held;
  }

  async clear({ name }: CopyableTable): Promise<void> {
    await this.run(`delete from ${quoted(name)}`);
  }

  /** @param look is called with the bytes copied so far */
  async out(table: CopyableTable, sink: NodeJS.WritableStream, look: (bytes: number) => void): Promise<Copied> {
    const rows = this.client.query(copyTo(`copy (select ${columnsOf(table)} from ${quoted(table.name)}) to stdout`));
    const passing = new Passing(look);
    await pipeline(rows, passing, sink);
    return { rows: rows.rowCount, ...passing.seen() };
  }

  /** Copies into an empty table. Its sequences go on behind the numbers that came in. */
  async in(table: CopyableTable, source: NodeJS.ReadableStream): Promise<number> {
    const rows = this.client.query(copyFrom(`copy ${quoted(table.name)} (${columnsOf(table)}) from stdin`));
    await pipeline(source, rows);
    for (const { column } of await this.run<{ column: string }>(NUMBERED, [quoted(table.name)]))
      await this.run(
        `select setval(pg_get_serial_sequence($1, $2), max(${quoted(column)})) from ${quoted(table.name)} having max(${quoted(column)}) is not null`,
        [quoted(table.name), column],
      );
    await this.run(`analyze ${quoted(table.name)}`);
    return rows.rowCount;
  }
}

/** `log.events` as `"log"."events"`. */
const quoted = (name: string): string =>
  name
    .split('.')
    .map((part) => pg.escapeIdentifier(part))
    .join('.');
const columnsOf = ({ columns }: CopyableTable): string => columns.map((column) => quoted(column)).join(', ');

/** Passes bytes on, and notes their number and digest. */
export class Passing extends Transform {
  private readonly hash = createHash('sha256');
  private bytes = 0;

  constructor(private readonly look: (bytes: number) => void = () => undefined) {
    super();
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: (error: null, chunk: Buffer) => void): void {
    this.hash.update(chunk);
    this.bytes += chunk.length;
    this.look(this.bytes);
    done(null, chunk);
  }

  /** Call it after the stream has ended. */
  seen(): { bytes: number; sha256: string } {
    return { bytes: this.bytes, sha256: this.hash.digest('hex') };
  }
}
