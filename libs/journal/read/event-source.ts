import type { Journal } from '../../context/journal.js';
import type { Queries } from '../../engines/database/database.js';
import type { Position } from '../../kernel/index.js';
import type { EventLog } from '../../log/port.js';
import type { Codec } from '../../streams/codec.js';
import { JOURNAL } from './journal.projection.js';
import type { Asked, JournalEntry, JournalSource, Placed } from './sources.js';

interface EventRow extends Placed {
  position: Position;
}
type StoredRow = Omit<EventRow, 'at'> & { at: Date };

const newest = (which: string): string => `
  select event_id as key, at, operator, action, site, env, position from read.${JOURNAL}
  where ${which} (at, event_id) < ($1::timestamptz, $2) and at >= $3::timestamptz
  order by at desc, event_id desc limit $4`;
const ALL = { name: 'journal_all', text: newest('') };
const BY_OPERATOR = { name: 'journal_by_operator', text: newest('operator = $5 and') };
const BY_ACTION = { name: 'journal_by_action', text: newest('action = $5 and') };
const IN_SITES = {
  name: 'journal_in_sites',
  text: `select found.* from unnest($5::text[]) as wanted(name)
         cross join lateral (${newest('site = wanted.name and')}) found
         order by at desc, key desc limit $4`,
};

/** What operators changed: rows by their index, and what they say from the log. */
export function eventSource(
  database: Pick<Queries, 'query'>,
  log: EventLog,
  codec: Codec,
  journal: Journal,
): JournalSource<EventRow> {
  const entriesAt = async (positions: readonly Position[]): Promise<Map<Position, Omit<JournalEntry, 'operator'>>> => {
    const recorded = await log.readAt(positions);
    const entries = recorded
      .filter((event) => !codec.isLeftOut(event))
      .flatMap((event) => {
        const { id, stream, position, metadata } = event;
        // Without a key: what is personal reads as forgotten.
        const says = journal.saysOf({ ...codec.decode(event), stream });
        if (says === null) return [];
        const { action, site, env, target, summary, reason = null, before = null, after = null } = says;
        const { recordedAt: at, session = null, requestId = null } = metadata;
        return [[position, { id, at, action, site, env, target, summary, reason, before, after, session, requestId }]];
      }) as [Position, Omit<JournalEntry, 'operator'>][];
    return new Map(entries);
  };
  return {
    actions: null,
    isOfSites: true,
    rows: async (asked) => (await queried(database, asked)).map((row) => ({ ...row, at: row.at.toISOString() })),
    entries: async (rows) => {
      if (rows.length === 0) return [];
      const entries = await entriesAt(rows.map(({ position }) => position));
      return rows.map(({ position, operator }) => {
        const entry = entries.get(position);
        return entry ? { ...entry, operator } : null;
      });
    },
  };
}

function queried(
  database: Pick<Queries, 'query'>,
  { operator, sites, action, from, before, limit }: Asked,
): Promise<StoredRow[]> {
  const values = [before.at, before.key, from, limit];
  if (operator !== null) return database.query(BY_OPERATOR, [...values, operator]);
  if (sites !== null) return database.query(IN_SITES, [...values, sites]);
  if (action !== null) return database.query(BY_ACTION, [...values, action]);
  return database.query(ALL, values);
}
