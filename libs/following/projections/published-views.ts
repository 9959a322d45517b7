import type { Queries } from '../../engines/database/database.js';

export type PublishedColumnType = 'text' | 'boolean' | 'integer' | 'bigint' | 'timestamptz';

export interface PublishedColumn {
  type: PublishedColumnType;
  /** For readers of the view: it stands in the database as a comment, and in the documentation. */
  meaning: string;
}

/**
 * A view with flat columns that people outside the service read: `read.<name>`. Its name and columns stay; a release may
 * only add columns behind the others. It is never dropped, so that rights on it and views of others on top of it stay.
 */
export interface PublishedView {
  name: string;
  /** Raised with any change of `columns` or `select`. */
  version: number;
  /** One sentence: what one row is. */
  about: string;
  /** In their order. Nothing personal: who reads the view holds no key. */
  columns: Readonly<Record<string, PublishedColumn>>;
  /** A query that answers these columns, in any order, from the table of a generation. */
  select: (table: string) => string;
}

export const publishedName = ({ name }: Pick<PublishedView, 'name'>): string => `read.${name}`;

/** What a view shows: the version of its query, and the table; null where the view is not there. */
export interface Shown {
  version: number;
  /** Null: nothing yet, the view is empty. */
  table: string | null;
}

const SHOWN = `select obj_description(to_regclass($1), 'pg_class') as comment, to_regclass($1) is not null as exists`;

export async function shownBy(tx: Queries, view: PublishedView): Promise<Shown | null> {
  const [row] = await tx.run<{ comment: string | null; exists: boolean }>(SHOWN, [publishedName(view)]);
  if (!row!.exists) return null;
  const [, version = '0', table = null] = /\(version (\d+)(?:, from (\S+))?\)$/.exec(row!.comment ?? '') ?? [];
  return { version: Number(version), table };
}

/** Whether the view has to be made anew to show a table. A newer release's view is left alone. */
export const isBehind = (shown: Shown | null, view: PublishedView, table: string): boolean =>
  shown === null || shown.version < view.version || (shown.version === view.version && shown.table !== table);

/** Points the view at a table; null: at nothing, so that the view exists and is empty. */
export async function publish(tx: Queries, view: PublishedView, table: string | null): Promise<void> {
  const name = publishedName(view);
  const source = table === null ? 'version 0' : `version ${view.version}, from ${table}`;
  // As a barrier, so that no function of a reader sees rows before the view has left them out.
  await tx.run(
    [
      `create or replace view ${name} with (security_barrier) as ${table === null ? nothing(view) : typed(view, table)}`,
      `comment on view ${name} is ${literal(`${view.about} (${source})`)}`,
      ...Object.entries(view.columns).map(
        ([column, { meaning }]) => `comment on column ${name}.${column} is ${literal(meaning)}`,
      ),
    ].join(';\n'),
  );
}

const typed = ({ columns, select }: PublishedView, table: string): string =>
  `select ${Object.entries(columns)
    .map(([column, { type }]) => `${cast(`v.${column}`, type)} as ${column}`)
    .join(', ')} from (${select(table)}) as v`;

const nothing = ({ columns }: PublishedView): string =>
  `select ${Object.entries(columns)
    .map(([column, { type }]) => `${cast('null', type)} as ${column}`)
    .join(', ')} where false`;

/** With the same collation in every version of the view: Postgres lets a view's columns not change it. */
const cast = (value: string, type: PublishedColumnType): string =>
  type === 'text' ? `${value}::text collate "C"` : `${value}::${type}`;

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
