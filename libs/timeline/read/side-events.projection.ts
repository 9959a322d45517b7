import type { SubjectTimeline } from '../../context/subject-timeline.js';
import { defineProjection } from '../../following/projections/projection.js';
import type { DomainEvent } from '../../kernel/index.js';

/** Injection token of the ReadProgress of the places of events aside. */
export const SIDE_EVENTS_PROGRESS = Symbol('SideEventsProgress');

type PlaceRow = Readonly<Record<string, unknown>> | null;

export const SIDE_EVENTS = 'side_events';

/**
 * `read.side_events`: where in the log the events stand that are about a subject and not on its stream, such as those of
 * data requests. A page of a timeline finds its part of them by position, however many there are. Ids only: there is
 * nothing to forget.
 */
export function sideEventsProjection({ sides }: Pick<SubjectTimeline, 'sides'>) {
  return defineProjection<PlaceRow, DomainEvent>({
    name: SIDE_EVENTS,
    version: 1,
    on: sides.flatMap(({ displays }) => Object.keys(displays)),
    streams: sides.map(({ prefix }) => prefix),
    keyIsOfStream: true,
    keyIsOfEvent: true,
    key: (event) => (subjectOf(sides, event) === null ? null : event.id),
    initial: () => null,
    evolve: (_, event) => ({ event_id: event.id, subject_id: subjectOf(sides, event)!, position: event.position }),
    rows: (_, row) => (row ? [row] : []),
    load: (_, [row]) => row!,
    table: {
      columns: {
        event_id: 'text collate "C" not null',
        subject_id: 'text collate "C" not null',
        position: 'bigint not null',
      },
      keyColumn: 'event_id',
      primaryKey: ['event_id'],
      indexes: ['subject_id, position'],
    },
  });
}

const subjectOf = (
  sides: SubjectTimeline['sides'],
  event: { type: string; stream: string; data: unknown },
): string | null => sides.find(({ prefix }) => event.stream.startsWith(prefix))?.subjectOf(event) ?? null;
