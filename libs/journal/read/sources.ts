import type { JournalTarget } from '../../context/journal.js';
import type { Instant } from '../../kernel/index.js';

/** Which entries are wanted. Null: no condition. */
export interface JournalWanted {
  operator: string | null;
  site: string | null;
  env: string | null;
  action: string | null;
  from: Instant | null;
  to: Instant | null;
  /** Where the roles of the caller count, as `site/env`; the site may be `*`. */
  places: readonly string[];
}

/** A row of one of the sources, as far as a filter looks at it. */
export interface Placed {
  at: Instant;
  /** Unique among the rows of its source that have one `at`. ASCII, and less than `~`. */
  key: string;
  operator: string | null;
  action: string;
  site: string | null;
  env: string | null;
}

/** An entry of the journal, without the name of its operator. */
export interface JournalEntry {
  id: string;
  at: Instant;
  operator: string | null;
  action: string;
  site: string | null;
  env: string | null;
  target: JournalTarget | null;
  summary: string;
  reason: string | null;
  before: object | null;
  after: object | null;
  session: string | null;
  requestId: string | null;
}

/** Rows before this place are wanted, newest first. `at` may be `infinity`. */
export interface Before {
  at: string;
  key: string;
}

/** What is looked for by an index; a source that has none for it looks at all its rows. */
export interface Asked {
  operator: string | null;
  sites: readonly string[] | null;
  action: string | null;
  /** Inclusive; `-infinity`: no bound. */
  from: string;
  before: Before;
  limit: number;
}

/** One of the places where the journal stands. */
export interface JournalSource<R extends Placed = Placed> {
  /** The actions that its rows may have; null: any that no other source has. */
  actions: readonly string[] | null;
  /** Whether its rows belong to sites. */
  isOfSites: boolean;
  /** Rows by one index, newest first. They may miss the conditions that the index does not know. */
  rows: (asked: Asked) => Promise<R[]>;
  /** One for each row; null where an operator left the event out. */
  entries: (rows: readonly R[]) => Promise<(JournalEntry | null)[]>;
}
