import type { Contract } from '../http/contract/operation.js';
import type { DomainEvent, Environment, Instant, Position } from '../kernel/index.js';
import type { StreamKind } from './stream-kind.js';

/** An event of the log as webhooks look at it: in today's schema, without what is personal in it. */
export interface LoggedEvent<D = unknown> {
  /** UUID; the same wherever the event is copied to. */
  id: string;
  type: string;
  data: D;
  site: string;
  /** Null: it stands on the stream of the whole site, and is announced in both environments. */
  env: Environment | null;
  /** Whose stream it stands on, or whom it names; null where it is about no subject. */
  subjectId: string | null;
  revision: number;
  position: Position;
  recordedAt: Instant;
}

/** What a webhook event says: its `data`, and when that happened. */
export interface Announcement {
  occurredAt: Instant;
  object: object;
  /** What was true before; null where nothing was, or that is not known. */
  previous: object | null;
  /** Where it is meant for one endpoint alone: its id. */
  endpoint?: string;
}

/** One type of webhook event: what receivers are promised of it. */
export interface WebhookType {
  /** `consent.granted` */
  type: string;
  description: string;
  /** Whether its events are about a subject, which `subject` then names. */
  isAboutSubject: boolean;
  /** Contract of `data.object`. */
  object: Contract;
  /** Contract of `data.previous`, which may still be null; null: it always is. */
  previous: Contract | null;
}

/** How an event of the log, with data like these, is announced as a type of webhook event. */
export interface AnnouncedAs<D> {
  webhook: WebhookType;
  /** Which events it announces. Pure. Absent: each. */
  when?: (event: LoggedEvent<D>) => boolean;
  /**
   * Pure, and for ever the same: receivers have the bytes. Null where it does not announce this event. Personal fields are
   * forgotten by then: it must not look at them. Neighbours with one and the same function share what it answers.
   */
  announce: (event: LoggedEvent<D>) => Announcement | null;
  /** Data of an event that it announces. The example of the catalogue is made of the first that a type has. */
  sample?: unknown;
}

export const announcedAs = <D>(announced: AnnouncedAs<D> & { sample?: D }): AnnouncedAs<D> => announced;

/**
 * As which webhook events each type of a context's events is announced, none or several: a type that is missing does not
 * compile. The place of each in its list is part of the `sequence` that receivers have. Add new ones at the end, and leave
 * those that are there where they are.
 */
export type Announcements<E extends DomainEvent> = {
  readonly [Type in E['type']]: readonly AnnouncedAs<Extract<E, { type: Type }>['data']>[];
};

/** The same with its own types forgotten, as lists of contexts hold it. */
export type AnyAnnouncements = Readonly<Record<string, readonly AnnouncedAs<unknown>[]>>;

export const defineAnnouncements = <E extends DomainEvent>(announcements: Announcements<E>): AnyAnnouncements =>
  announcements as unknown as AnyAnnouncements;

/** Places of one event of the log. Fixed for ever: it is part of every sequence. */
export const PLACES_MAX = 16;

interface AnnouncingContext {
  streams?: readonly StreamKind[];
  webhooks?: AnyAnnouncements;
}

/** What all contexts announce to webhooks. */
export class WebhookTypes {
  /** Every type of webhook event once, in the order of the contexts. */
  readonly all: readonly WebhookType[];
  /** Their names. */
  readonly names: readonly string[];
  /** Prefixes of the streams of sites whose events are announced. */
  readonly streams: readonly string[];
  private readonly byEvent: ReadonlyMap<string, readonly AnnouncedAs<unknown>[]>;

  /** Throws TypeError where an event has more places than a sequence can tell apart. */
  constructor(contexts: readonly AnnouncingContext[]) {
    const announcing = contexts.filter(({ webhooks }) => webhooks !== undefined);
    this.byEvent = new Map(
      announcing.flatMap(({ webhooks }) => Object.entries(webhooks!).filter(([, announced]) => announced.length > 0)),
    );
    for (const [type, { length }] of this.byEvent)
      if (length > PLACES_MAX) throw new TypeError(`${type} is announced as more than ${PLACES_MAX} webhook events`);
    this.all = [...new Set([...this.byEvent.values()].flatMap((list) => list.map(({ webhook }) => webhook)))];
    this.names = this.all.map(({ type }) => type);
    this.streams = announcing.flatMap(({ streams = [] }) =>
      streams.flatMap(({ name, of }) => (of === 'INSTALLATION' ? [] : [`${name}-`])),
    );
  }

  /** How an event of this type is announced, by place; empty where it is not. */
  of(type: string): readonly AnnouncedAs<unknown>[] {
    return this.byEvent.get(type) ?? [];
  }

  /** Types of events that are announced. */
  get events(): string[] {
    return [...this.byEvent.keys()];
  }

  /** Where the example of a type comes from: the type of the event, and how it is announced. */
  sampleOf({ type }: WebhookType): { event: string; place: number; announced: AnnouncedAs<unknown> } {
    for (const [event, list] of this.byEvent)
      for (const [place, announced] of list.entries())
        if (announced.webhook.type === type && announced.sample !== undefined) return { event, place, announced };
    throw new TypeError(`${type} has no sample`);
  }
}
