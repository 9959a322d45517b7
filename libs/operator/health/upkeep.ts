import type { Queries } from '../../engines/database/database.js';
import { instantOf, type Instant } from '../../kernel/index.js';

/** What came of the last backup, and of the last time that the ledger was held against the log. */
export interface UpkeepDone {
  BACKUP: { tables: number; rows: number };
  LEDGER_VERIFIED: { leaves: number; breaks: number };
}

export type LastUpkeep = { [What in keyof UpkeepDone]: (UpkeepDone[What] & { at: Instant }) | null };

const NOTE = `insert into write.upkeep (what, at, result) values ($1, now(), $2)
  on conflict (what) do update set at = excluded.at, result = excluded.result`;

/** Notes that it was done a moment ago. Only the last time is kept. */
export async function noteUpkeep<What extends keyof UpkeepDone>(
  database: Pick<Queries, 'run'>,
  what: What,
  result: UpkeepDone[What],
): Promise<void> {
  await database.run(NOTE, [what, JSON.stringify(result)]);
}

/** Null: never, as far as this database knows. */
export async function lastUpkeep(database: Pick<Queries, 'run'>): Promise<LastUpkeep> {
  const rows = await database.run<{ what: keyof UpkeepDone; at: Date; result: object }>('select * from write.upkeep');
  const last = rows.map(({ what, at, result }) => [what, { at: instantOf(at.getTime()), ...result }]);
  return { BACKUP: null, LEDGER_VERIFIED: null, ...Object.fromEntries(last) } as LastUpkeep;
}
