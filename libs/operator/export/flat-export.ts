import { createHash } from 'node:crypto';
import type { Row } from '../../following/projections/projection.js';
import { publishedName, type PublishedView } from '../../following/projections/published-views.js';
import { Refused, refusal, type Environment, type Instant } from '../../kernel/index.js';
import type { Database, Queries } from '../../engines/database/database.js';
import { csvLine } from './csv.js';
import { writeParquet } from './parquet.js';
import type { AnyProjection } from '../release.js';

export type FlatFormat = 'csv' | 'parquet';

export interface FlatExportWanted {
  /** Null: all. */
  site: string | null;
  env: Environment | null;
  /** Only what was recorded from then on; null: everything. */
  since: Instant | null;
  format: FlatFormat;
}

export interface FlatExported {
  rows: number;
  bytes: number;
  /** Of all bytes, in hex. */
  sha256: string;
}

/** Rows that the database hands over at a time. */
const ROWS_AT_ONCE = 2_000;

/** Every view that this release publishes. */
export const publishedViews = (projections: readonly AnyProjection[]): PublishedView[] =>
  projections.flatMap(({ views }) => views ?? []);

/** The view of a name. Refuses an unknown name, and lists the views. */
export function viewNamed(projections: readonly AnyProjection[], name: string): PublishedView {
  const views = publishedViews(projections);
  const view = views.find((each) => each.name === name);
  if (view) return view;
  throw new Refused(
    refusal(
      'view_unknown',
      `There is no published view ${name}.`,
      `There are: ${views.map((each) => each.name).join(', ')}.`,
    ),
  );
}

/**
 * Reads a published view as it is at one moment and writes it as one file, in no particular order. Only the rows that the
 * format encodes together are in memory, however slow `write` is. Calls `look` with the share, 0 to 1, and the rows so
 * far. The rights of a data role are enough.
 */
export async function exportView(
  database: Database,
  view: PublishedView,
  wanted: FlatExportWanted,
  write: (chunk: string | Uint8Array) => Promise<void>,
  look: (share: number, rows: number) => void,
): Promise<FlatExported> {
  const hash = createHash('sha256');
  const exported = { rows: 0, bytes: 0 };
  const put = async (chunk: string | Uint8Array): Promise<void> => {
    hash.update(chunk);
    exported.bytes += Buffer.byteLength(chunk);
    await write(chunk);
  };
  await database.transaction(async (tx) => {
    await tx.run('set transaction isolation level repeatable read, read only');
    await requireRead(tx, view);
    const [from, values] = sourceOf(view, wanted);
    const [total] = await tx.run<{ rows: bigint }>(`select count(*) as rows ${from}`, values);
    const rows = read(tx, `select ${Object.keys(view.columns).join(', ')} ${from}`, values, (more) => {
      exported.rows += more;
      look(exported.rows / Number(total!.rows), exported.rows);
    });
    if (wanted.format === 'parquet') await writeParquet(view, flat(rows), put);
    else await writeCsv(view, rows, put);
  });
  return { ...exported, sha256: hash.digest('hex') };
}

/** Refuses where the view or the right to read it is missing. Without this check it looks like a fault of the command. */
async function requireRead(tx: Queries, view: PublishedView): Promise<void> {
  const [found] = await tx.run<{ may: boolean | null }>(
    `select case when has_schema_privilege('read', 'usage') then has_table_privilege(to_regclass($1), 'select') end as may
     from pg_namespace where nspname = 'read'`,
    [publishedName(view)],
  );
  if (found?.may) return;
  throw new Refused(
    refusal(
      'view_not_readable',
      `${publishedName(view)} is not there, or this user of the database may not read it.`,
      'A projector of this release makes it; a data role is given its rights by assent data-role create.',
    ),
  );
}

function sourceOf(view: PublishedView, { site, env, since }: FlatExportWanted): [string, unknown[]] {
  const asked = (
    [
      ['site =', site],
      ['env =', env],
      ['recorded_at >=', since],
    ] as const
  ).filter(([, value]) => value !== null);
  const where = asked.map(([condition], i) => `${condition} $${i + 1}`).join(' and ');
  return [`from ${publishedName(view)}${where && ` where ${where}`}`, asked.map(([, value]) => value)];
}

/** Reads batch by batch through a cursor: the database keeps the rest. */
async function* read(
  tx: Queries,
  query: string,
  values: readonly unknown[],
  look: (more: number) => void,
): AsyncGenerator<Row[], undefined> {
  // All rows are needed: a plan that finds the first ones fast would take longer for all of them.
  await tx.run('set local cursor_tuple_fraction = 1');
  await tx.run(`declare exported no scroll cursor for ${query}`, values);
  for (;;) {
    const rows = await tx.run<Row>(`fetch ${ROWS_AT_ONCE} from exported`);
    if (rows.length === 0) return;
    yield rows;
    look(rows.length);
  }
}

async function* flat(batches: AsyncIterable<Row[]>): AsyncGenerator<Row, undefined> {
  for await (const rows of batches) yield* rows;
}

async function writeCsv(
  { columns }: PublishedView,
  batches: AsyncIterable<Row[]>,
  put: (text: string) => Promise<void>,
): Promise<void> {
  const names = Object.keys(columns);
  await put(csvLine(names));
  for await (const rows of batches)
    await put(rows.map((row) => csvLine(names.map((name) => cell(row[name])))).join(''));
}

const cell = (value: unknown): string | null => {
  if (value === null) return null;
  return value instanceof Date ? value.toISOString() : String(value as string | number | bigint | boolean);
};
