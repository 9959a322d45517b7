import { arrayParameters, ColumnArrays } from '../following/sinks/column-arrays.js';
import type { Queries, Statement } from '../engines/database/database.js';
import type { AnnouncedEvent } from './announced-events.js';

/** The columns of `webhooks.event`. */
const COLUMNS = { position: 'bigint', recorded_at: 'timestamptz', scope: 'int', kind: 'int' };
const NAMES = Object.keys(COLUMNS);

/** What a statement inserts into `webhooks.event`; its values are numbered from there. */
export const insertAnnounced = (from: number): string =>
  `insert into webhooks.event (${NAMES.join(', ')}) select * from unnest(${arrayParameters(COLUMNS, NAMES, from)})`;
/** How many values that are. */
export const ANNOUNCED_VALUES = NAMES.length;

/**
 * Rows of `webhooks.event`. Sites with their environments, and the types that an event is announced as, stand there by
 * numbers of tables of their own, so that a row is small.
 */
export class AnnouncedRows {
  private readonly scopes = new Map<string, number>();
  private readonly kinds = new Map<string, number>();

  constructor(private readonly queries: Pick<Queries, 'query'>) {}

  /** The values of `insertAnnounced`. Numbers what was never announced before. */
  async of(events: readonly AnnouncedEvent[]): Promise<unknown[]> {
    const rows = new ColumnArrays(COLUMNS);
    for (const { site, env, position, recordedAt, types } of events) {
      const scope = await this.number(this.scopes, `${site}.${env}`, SCOPE, [site, env]);
      const kind = await this.number(this.kinds, types.join(' '), KIND, [types]);
      rows.add({ position, recorded_at: recordedAt, scope, kind });
    }
    return rows.values;
  }

  /** The tables may be others by now. */
  forget(): void {
    this.scopes.clear();
    this.kinds.clear();
  }

  private async number(
    known: Map<string, number>,
    name: string,
    statement: Statement,
    values: readonly unknown[],
  ): Promise<number> {
    let number = known.get(name);
    if (number === undefined) {
      [{ number }] = (await this.queries.query<{ number: number }>(statement, values)) as [{ number: number }];
      known.set(name, number);
    }
    return number;
  }
}

/** A rival may number the same at the same time: then its number is answered. */
const numbered = (name: string, table: string, columns: string, values: string): Statement => ({
  name,
  text: `
with known as (select number from ${table} where (${columns}) = (${values})), made as (
  insert into ${table} (${columns}) select ${values} where not exists (select from known)
  on conflict (${columns}) do update set (${columns}) = row(${columns.replace(/\w+/g, 'excluded.$&')}) returning number
)
select number from known union all select number from made`,
});
const SCOPE = numbered('webhooks-scope-number', 'webhooks.scope', 'site, env', '$1::text, $2::text');
const KIND = numbered('webhooks-kind-number', 'webhooks.kind', 'types', '$1::text[]');
