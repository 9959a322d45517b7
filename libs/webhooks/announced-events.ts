import type { WebhookTypes, LoggedEvent } from '../context/webhook-types.js';
import { ENVIRONMENTS, subjectOfStream, type Environment, type Instant, type Position } from '../kernel/index.js';
import type { RecordedEvent } from '../log/port.js';
import type { Codec } from '../streams/codec.js';
import { addressedOf, announcementsOf, type Addressed } from './envelope.js';

/** All that is kept of an event of the log that webhooks announce in a site and environment. */
export interface AnnouncedEvent {
  site: string;
  env: Environment;
  position: Position;
  recordedAt: Instant;
  /** The types of its webhook events, each at its place; null where a type does not announce this event. */
  types: readonly (string | null)[];
}

const OWNED = /^[a-z]+-([a-z][a-z0-9-]*)(?:\.(test|live)(?:\..+)?)?$/;

/** Tells of events of the log as which webhook events they are announced. All that it does is pure. */
export class Announcer {
  constructor(
    readonly codec: Codec,
    private readonly types: WebhookTypes,
  ) {}

  /**
   * An event of the log as webhooks announce it, without the bodies; none where they do not. What is about a site as a
   * whole is announced in both environments. Throws UnknownEvent where only a newer release knows what happened, because
   * that one may announce it; and UnreadableEvent.
   */
  announced(event: RecordedEvent): AnnouncedEvent[] {
    const logged = this.logged(event);
    const announcements = logged ? announcementsOf(logged, this.types) : [];
    if (!logged || announcements.length === 0) return [];
    const types: (string | null)[] = Array.from({ length: announcements.at(-1)!.place + 1 }, () => null);
    for (const { place, type } of announcements) types[place] = type;
    const { site, position, recordedAt } = logged;
    return environmentsOf(logged).map((env) => ({ site, env, position, recordedAt, types }));
  }

  /** The webhook events that are made of an event of the log, in the order of their sequence. Throws as `announced`. */
  webhookEvents(event: RecordedEvent): Addressed[] {
    const logged = this.logged(event);
    return logged ? environmentsOf(logged).flatMap((env) => addressedOf(logged, env, this.types)) : [];
  }

  /**
   * An event of the log as webhooks look at it; null where no type announces its kind. What is personal in it stays
   * sealed: no key is asked for. Throws as `announced`.
   */
  logged(event: RecordedEvent): LoggedEvent | null {
    this.codec.ensureKnown(event);
    const { id, type, stream, revision, position, metadata } = event;
    const [, site, env] = this.types.of(type).length > 0 ? (OWNED.exec(stream) ?? []) : [];
    if (site === undefined) return null;
    const { data } = this.codec.decode(event);
    return {
      id,
      type,
      data,
      site,
      env: (env as Environment | undefined) ?? null,
      subjectId: subjectOfStream(stream)?.subjectId ?? subjectNamedIn(data),
      revision,
      position,
      recordedAt: metadata.recordedAt,
    };
  }
}

/** What stands on a stream of its own, such as a data request, says itself whom it is about. */
const subjectNamedIn = (data: unknown): string | null => (data as { subjectId?: string }).subjectId ?? null;
const environmentsOf = ({ env }: LoggedEvent): readonly Environment[] => (env ? [env] : ENVIRONMENTS);
