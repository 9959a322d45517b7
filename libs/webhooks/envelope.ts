import { derivedId, epochMs, type Environment, type Instant, type Position } from '../kernel/index.js';
import {
  PLACES_MAX,
  type AnnouncedAs,
  type Announcement,
  type LoggedEvent,
  type WebhookTypes,
} from '../context/webhook-types.js';

/** Version of what stands in a body. Members may come; none goes or changes its meaning without another version. */
export const WEBHOOK_API_VERSION = '2026-11-01';

/** A webhook event, as receivers get it. */
export interface Envelope {
  /** `evt_…`: the same on every attempt and in every replay. */
  id: string;
  type: string;
  apiVersion: string;
  /** When the service recorded what happened. */
  createdAt: Instant;
  /** When it happened, which of an import may be long before. */
  occurredAt: Instant;
  environment: Environment;
  site: string;
  /** Grows from event to event of a site and environment, with gaps. The feed has the same order. */
  sequence: number;
  /** Null where it is about no subject. Identifiers only for endpoints that ask for them. */
  subject: { id: string; identifiers?: readonly { kind: string; value: string }[] } | null;
  data: { object: object; previous: object | null };
}

/**
 * Where a webhook event stands among all: behind those of earlier positions, and of earlier types of the same position.
 * Exact up to position 5.6 × 10^14; positions of EventStoreDB are bytes of its log.
 */
export const sequenceOf = (position: Position, place: number): number => Number(position) * PLACES_MAX + place;

/** No webhook event of an event at the position, or before it, has a larger sequence. */
export const lastSequenceOf = (position: Position): number => sequenceOf(position, PLACES_MAX - 1);

/** The position of the log that a sequence belongs to. */
export const positionOf = (sequence: number): Position => BigInt(Math.floor(sequence / PLACES_MAX));

/** A webhook event, and whom it is for. */
export interface Addressed {
  envelope: Envelope;
  /** The one endpoint that it is sent to; null: each that wants events of its type. */
  endpoint: string | null;
}

/** What a type of webhook event says of an event of the log. `place`: see Announcements. */
interface PlacedAnnouncement {
  place: number;
  type: string;
  announcement: Announcement;
}

/** All that an event of the log is announced as, in the order of their sequence. */
export function announcementsOf(event: LoggedEvent, types: WebhookTypes): PlacedAnnouncement[] {
  const placed: PlacedAnnouncement[] = [];
  let by: AnnouncedAs<unknown>['announce'] | null = null;
  let announcement: Announcement | null = null;
  for (const [place, { webhook, when, announce }] of types.of(event.type).entries()) {
    if (when && !when(event)) continue;
    if (announce !== by) [by, announcement] = [announce, announce(event)];
    if (announcement) placed.push({ place, type: webhook.type, announcement });
  }
  return placed;
}

/** The same as webhook events of an environment; the same to the byte whenever it is asked. */
export const addressedOf = (event: LoggedEvent, env: Environment, types: WebhookTypes): Addressed[] =>
  announcementsOf(event, types).map((placed) => ({
    envelope: envelopeOf(event, env, placed),
    endpoint: placed.announcement.endpoint ?? null,
  }));

/** The same without the endpoints. */
export const envelopesOf = (event: LoggedEvent, env: Environment, types: WebhookTypes): Envelope[] =>
  addressedOf(event, env, types).map(({ envelope }) => envelope);

/** Sent and signed as `bodyText` writes it. */
export function envelopeOf(
  { id, site, env, subjectId, position, recordedAt }: LoggedEvent,
  environment: Environment,
  { place, type, announcement: { occurredAt, object, previous } }: PlacedAnnouncement,
): Envelope {
  return {
    // What is about a whole site is announced in each environment, by an event of its own.
    id: derivedId('evt', epochMs(recordedAt), env === null ? `${id} ${type} ${environment}` : `${id} ${type}`),
    type,
    apiVersion: WEBHOOK_API_VERSION,
    createdAt: recordedAt,
    occurredAt,
    environment,
    site,
    sequence: sequenceOf(position, place),
    subject: subjectId === null ? null : { id: subjectId },
    data: { object, previous },
  };
}

/** What is sent and signed, in UTF-8. */
export const bodyText = (envelope: Envelope): string => JSON.stringify(envelope);
