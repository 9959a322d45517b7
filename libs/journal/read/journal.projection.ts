import { operatorOf, type Journal } from '../../context/journal.js';
import { defineProjection } from '../../following/projections/projection.js';
import type { DomainEvent } from '../../kernel/index.js';

/** Injection token of the ReadProgress of the journal. */
export const JOURNAL_PROGRESS = Symbol('JournalProgress');
export const JOURNAL = 'journal';

type EntryRow = Readonly<Record<string, unknown>> | null;

/**
 * `read.journal`: where in the log the events stand that operators caused, and what a page of the journal is asked by.
 * What an entry says is read from the event itself. Ids only: there is nothing to forget.
 */
export function journalProjection(journal: Journal) {
  return defineProjection<EntryRow, DomainEvent>({
    name: JOURNAL,
    version: 1,
    on: journal.types,
    streams: journal.streams,
    keyIsOfStream: true,
    keyIsOfEvent: true,
    key: (event) => (operatorOf(event.metadata.actor) === undefined ? null : event.id),
    initial: () => null,
    evolve: (_, event) => {
      const says = journal.saysOf(event);
      if (says === null) return null;
      const { actor, recordedAt } = event.metadata;
      return {
        event_id: event.id,
        at: recordedAt,
        operator: says.operator ?? operatorOf(actor) ?? null,
        action: says.action,
        site: says.site,
        env: says.env,
        position: event.position,
      };
    },
    rows: (_, row) => (row ? [row] : []),
    load: (_, [row]) => row!,
    table: {
      columns: {
        event_id: 'text collate "C" not null',
        at: 'timestamptz not null',
        operator: 'text collate "C"',
        action: 'text collate "C" not null',
        site: 'text collate "C"',
        env: 'text collate "C"',
        position: 'bigint not null',
      },
      keyColumn: 'event_id',
      primaryKey: ['event_id'],
      indexes: ['at, event_id', 'operator, at, event_id', 'site, at, event_id', 'action, at, event_id'],
    },
  });
}
