import type { Codec } from '../streams/codec.js';
import type { RecordedEvent } from '../log/port.js';
import { ENVIRONMENTS, type Environment, type Instant, type Position } from '../kernel/index.js';
import { addressedOf, announcementsOf, type Addressed } from './envelope.js';
import { loggedEvent } from './logged-event.js';
import type { LoggedEvent } from './types/webhook-type.js';

/** All that is kept of an event of the log that webhooks announce in a site and environment. */
export interface AnnouncedEvent {
  site: string;
  env: Environment;
  position: Position;
  recordedAt: Instant;
  /** The types of its webhook events, each at its place; null where a type does not announce this event. */
  types: readonly (string | null)[];
}

/**
 * An event of the log as webhooks announce it, without the bodies; none where they do not. What is about a site as a
 * whole is announced in both environments. Throws UnknownEvent where only a newer release knows what happened, because
 * that one may announce it; and UnreadableEvent.
 */
export function announcedOf(event: RecordedEvent, codec: Codec): AnnouncedEvent[] {
  const logged = readable(event, codec);
  const announcements = logged ? announcementsOf(logged) : [];
  if (!logged || announcements.length === 0) return [];
  const types: (string | null)[] = Array.from({ length: announcements.at(-1)!.place + 1 }, () => null);
  for (const { place, type } of announcements) types[place] = type;
  const { site, position, recordedAt } = logged;
  return environmentsOf(logged).map((env) => ({ site, env, position, recordedAt, types }));
}

/** The webhook events that are made of an event of the log, in the order of their sequence. Throws as `announcedOf`. */
export function webhookEventsOf(event: RecordedEvent, codec: Codec): Addressed[] {
  const logged = readable(event, codec);
  return logged ? environmentsOf(logged).flatMap((env) => addressedOf(logged, env)) : [];
}

function readable(event: RecordedEvent, codec: Codec): LoggedEvent | null {
  codec.ensureKnown(event);
  return loggedEvent(event, codec);
}

const environmentsOf = ({ env }: LoggedEvent): readonly Environment[] => (env ? [env] : ENVIRONMENTS);
