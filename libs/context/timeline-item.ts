import type { DomainEvent, Instant } from '../kernel/index.js';
import type { Happened } from '../streams/folding.js';

/**
 * What a timeline says of one event, besides where it stands and when it was recorded. A member that does not apply to the
 * event is absent.
 */
export interface TimelineSays {
  /** When it happened, as the event says; when it was recorded, where it says nothing. */
  at: Instant;
  /** Who decided, as the record says. Personal values are null after erasure. */
  actor?: object;
  /** A decision about a purpose, as the history of consent shows it. */
  record?: object;
  /** What became of a preference, as the history of preferences shows it. */
  preference?: object;
  request?: object;
  identifier?: object;
  rectified?: object;
  merge?: object;
  restriction?: object;
  erasure?: object;
  receiptId?: string;
  /** What was on the screen, as a presentation token stated it. */
  presentation?: object;
  /** The text that was in force. */
  notice?: { locale: string; contentHash: string };
  appliedToState?: boolean;
}

/** One event of a person's timeline. */
export interface TimelineItem extends TimelineSays {
  /** Decimal text, as in `X-Log-Position`. */
  position: string;
  recordedAt: Instant;
  /** The event's name in lower_snake. */
  type: string;
  /** What happened, in a few English words. */
  title: string;
  /** The merged subject whose event it was; null: it is the own event of the subject that was asked for. */
  mergedFrom: string | null;
  /** Who recorded it: `key_…`, `operator:…`, or `system:<part>`. */
  by: string;
}

/** How a timeline shows the types of events of streams beside those of subjects: a type that is missing does not compile. */
export type SideDisplays<E extends DomainEvent> = {
  readonly [Type in E['type']]: {
    /** What happened, in a few English words. */
    headline: string;
    says: (data: Extract<E, { type: Type }>['data']) => TimelineSays;
  };
};

/** Streams of a context of which each is about one subject: the timeline of that subject joins their events. */
export interface SideStreams {
  /** How their names begin. */
  prefix: string;
  displays: Readonly<Record<string, { headline: string; says: (data: unknown) => TimelineSays }>>;
  /** The subject that an event is about, whose key seals what is personal in it; null: none. */
  subjectOf: (event: { stream: string; data: unknown }) => string | null;
}

/** The same with the types of its events checked. */
export const defineSideStreams = <E extends DomainEvent>(
  side: Omit<SideStreams, 'displays'> & { displays: SideDisplays<E> },
): SideStreams => side as unknown as SideStreams;

/** An event of a family, and the member whose own it is, where that is not the subject asked for. */
export interface FamilyEvent {
  event: Happened<DomainEvent>;
  mergedFrom: string | null;
}

/** `ConsentRecorded` → `consent_recorded`. */
export const inSnake = (type: string): string => type.replace(/\B[A-Z]/g, '_$&').toLowerCase();
