import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { isForgotten } from '../../kernel/index.js';
import type { Row } from '../../following/projections/projection.js';
import { viewOf } from '../../following/projections/read-table.js';
import type { Engines } from '../engines.js';
import type { AnyProjection } from '../release.js';
import type { Difference, Folded } from './verify-fold.js';

const ROWS_AT_ONCE = 1_000;
/** How long a row may take to show what the log already holds, once its projection has caught up. */
const PATIENCE_MS = 3_000;
const LOOK_AGAIN_MS = 100;

/** Compares folded states with the rows, and again after a moment where the rows may only be late. */
export class RowsAgainstFold {
  /** Keys whose rows differ, or are only late. */
  private readonly open: Map<string, Pick<Difference, 'kind' | 'detail'>>[];
  /** Rows that were compared. */
  rows = 0;

  constructor(
    private readonly of: Pick<Engines, 'database' | 'projections'>,
    private readonly folded: Folded,
    /** Which rows belong to what was folded: by subject, or null for those about none. */
    private readonly isPart: (subjectId: string | null) => boolean,
  ) {
    this.open = of.projections.map(() => new Map<string, Pick<Difference, 'kind' | 'detail'>>());
  }

  /** Every row of the part, and every state that should have one. */
  async all(): Promise<void> {
    for (const [i, projection] of this.of.projections.entries()) {
      const states = this.folded.states[i]!;
      const seen = new Set<string>();
      for await (const [key, rows] of this.stored(projection)) {
        if (!this.isPart(subjectOf(projection, key, rows))) continue;
        this.rows += rows.length;
        seen.add(key);
        this.note(i, key, states.get(key), rows);
      }
      for (const [key, state] of states) if (!seen.has(key)) this.note(i, key, state, []);
    }
  }

  /** Every row that these subjects should have, and those that have them as their key; answers how many there are. */
  async ofSubjects(subjectIds: readonly string[]): Promise<number> {
    let found = 0;
    for (const i of this.of.projections.keys())
      found += await this.some(i, [...new Set([...subjectIds, ...this.folded.states[i]!.keys()])]);
    return found;
  }

  /** Compares differing keys again while the log is followed, until none differs or the time is over. */
  async settle(): Promise<void> {
    const differs = (): boolean => this.open.some(({ size }) => size > 0);
    for (const until = performance.now() + PATIENCE_MS; differs() && performance.now() < until;) {
      await pause(LOOK_AGAIN_MS);
      for (const [i, open] of this.open.entries()) await this.some(i, [...open.keys()]);
    }
    for (const [i, open] of this.open.entries())
      for (const [key, { kind, detail }] of open)
        this.folded.report(kind, `${this.of.projections[i]!.name} ${key}`, detail);
  }

  /** Compares the rows of some keys of one read model; answers how many there are. */
  private async some(i: number, keys: readonly string[]): Promise<number> {
    const projection = this.of.projections[i]!;
    let found = 0;
    for (let from = 0; from < keys.length; from += ROWS_AT_ONCE) {
      const wanted = keys.slice(from, from + ROWS_AT_ONCE);
      const stored = await this.of.database.run<Row>(
        `select * from ${viewOf(projection.name)} where ${projection.table.keyColumn} = any($1::text[])`,
        [wanted],
      );
      const rows = grouped(projection, stored);
      for (const key of wanted) this.note(i, key, this.folded.states[i]!.get(key), rows.get(key) ?? []);
      found += stored.length;
    }
    return found;
  }

  private note(i: number, key: string, state: unknown, stored: readonly Row[]): void {
    const projection = this.of.projections[i]!;
    const wanted = state === undefined ? [] : projection.rows(key, state);
    const differing = differingColumns(projection, wanted, stored);
    if (differing.length === 0) this.open[i]!.delete(key);
    else
      this.open[i]!.set(key, {
        kind: wanted.length === 0 ? 'row without events' : stored.length === 0 ? 'row missing' : 'row differs',
        detail: `not the fold of its stream: ${differing.join(', ')}`,
      });
  }

  /** All rows of a read model, key by key, a thousand at a time. */
  private async *stored(projection: AnyProjection): AsyncGenerator<[string, Row[]]> {
    const { keyColumn } = projection.table;
    for (let after = ''; ;) {
      const rows = await this.of.database.run<Row>(
        `select * from ${viewOf(projection.name)} where ${keyColumn} in (select distinct ${keyColumn} from ${viewOf(projection.name)} where ${keyColumn} > $1 order by 1 limit ${ROWS_AT_ONCE}) order by ${keyColumn}`,
        [after],
      );
      if (rows.length === 0) return;
      yield* grouped(projection, rows);
      after = rows.at(-1)![keyColumn] as string;
    }
  }
}

/** The subject of a key's rows: from a column, else the key is the subject's id. Null: no subject. */
const subjectOf = ({ streams }: AnyProjection, key: string, [row]: readonly Row[]): string | null =>
  streams.every((prefix) => prefix === 'subject-') ? ((row?.['subject_id'] as string | undefined) ?? key) : null;

function grouped({ table }: AnyProjection, rows: readonly Row[]): Map<string, Row[]> {
  const of = new Map<string, Row[]>();
  for (const row of rows) {
    const key = row[table.keyColumn] as string;
    const known = of.get(key);
    if (known) known.push(row);
    else of.set(key, [row]);
  }
  return of;
}

/** A value as the table returns it, for comparing: instants as text, forgotten values as null, JSON without order. */
function differingColumns({ table }: AnyProjection, wanted: readonly Row[], stored: readonly Row[]): string[] {
  const plain = (value: unknown): unknown => {
    if (value instanceof Date) return value.toISOString();
    if (value === undefined || isForgotten(value)) return null;
    return typeof value === 'object' && value !== null ? (JSON.parse(JSON.stringify(value)) as unknown) : value;
  };
  const identity = (row: Row): string => JSON.stringify(table.primaryKey.map((column) => String(row[column])));
  const of = new Map(stored.map((row) => [identity(row), row]));
  if (wanted.length !== of.size || wanted.some((row) => !of.has(identity(row)))) return ['rows'];
  return Object.keys(table.columns).filter((column) =>
    wanted.some((row) => !isDeepStrictEqual(plain(row[column]), plain(of.get(identity(row))![column]))),
  );
}
