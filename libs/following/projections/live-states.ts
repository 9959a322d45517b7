import type { DomainEvent, Position } from '../../kernel/index.js';
import type { Queries } from '../../engines/database/database.js';
import type { Projection, Row } from './projection.js';
import { viewOf } from './read-table.js';

/** All that a projection has folded, as its rows hold it. */
export interface LiveStates<State> {
  /** Every event up to here is in the states. Of some keys later ones may be in already: shards go ahead of each other. */
  position: Position;
  states: ReadonlyMap<string, State>;
}

/**
 * Reads the whole of a small projection, for a process that keeps it in memory. Null where the view shows the rows of
 * another version, which only another release can read; rejects where no projector has made the view yet.
 *
 * One statement reads checkpoint and rows, so both are of one moment. While it runs it holds the view, so the view cannot
 * be switched to another generation in between.
 */
export async function liveStates<State, E extends DomainEvent>(
  database: Queries,
  { name, version, table, load }: Pick<Projection<State, E>, 'name' | 'version' | 'table' | 'load'>,
): Promise<LiveStates<State> | null> {
  const rows = await database.run<Row & { live_position: Position }>(
    `select live.position as live_position, r.* from projection.checkpoints live left join ${viewOf(name)} r on true
     where live.name = $1 and live.version = $2 and live.live`,
    [name, version],
  );
  if (rows.length === 0) return null;
  const byKey = new Map<string, Row[]>();
  for (const { live_position: _, ...row } of rows) {
    const key = row[table.keyColumn] as string | null;
    // A checkpoint without any row: nothing was folded yet.
    if (key === null) continue;
    const known = byKey.get(key);
    if (known) known.push(row);
    else byKey.set(key, [row]);
  }
  return {
    position: rows[0]!.live_position,
    states: new Map([...byKey].map(([key, ofKey]) => [key, load(key, ofKey)])),
  };
}
