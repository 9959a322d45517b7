import { derivedId, epochMs, type Environment, type Instant, type Position } from '../kernel/index.js';
import type { LoggedEvent, Told, WebhookType } from './types/webhook-type.js';
import { TYPES_BY_LOGGED } from './types/webhook-types.js';

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
  /** Null where it is about nobody in particular. Identifiers only for endpoints that ask for them. */
  subject: { id: string; identifiers?: readonly { kind: string; value: string }[] } | null;
  data: { object: object; previous: object | null };
}

/** So many webhook events one event of the log can make. Fixed for ever: it is part of every sequence. */
export const TOLD_MAX = 16;

/**
 * Where a webhook event stands among all: behind those of earlier positions, and of earlier types of the same position.
 * Exact up to position 5.6 × 10^14; positions of EventStoreDB are bytes of its log.
 */
export const sequenceOf = (position: Position, place: number): number => Number(position) * TOLD_MAX + place;

/** No webhook event of an event at the position, or before it, has a larger sequence. */
export const lastSequenceOf = (position: Position): number => sequenceOf(position, TOLD_MAX - 1);

/** The position of the log that a sequence belongs to. */
export const positionOf = (sequence: number): Position => BigInt(Math.floor(sequence / TOLD_MAX));

/** A webhook event, and whom it is for. */
export interface Addressed {
  envelope: Envelope;
  /** Only this endpoint is told; null: whoever wants events of its type. */
  endpoint: string | null;
}

/** What a type of webhook event says of an event of the log. `place`: that of the type among all of such an event. */
export interface PlacedAnnouncement {
  place: number;
  type: string;
  announcement: Told;
  data: Envelope['data'];
}

/** All that an event of the log is announced as, in the order of their sequence. */
export function announcementsOf(event: LoggedEvent): PlacedAnnouncement[] {
  const placed: PlacedAnnouncement[] = [];
  let by: WebhookType['tells'] | null = null;
  let announcement: Told | null = null;
  let data: Envelope['data'] | null = null;
  for (const [place, { type, when, tells }] of (TYPES_BY_LOGGED.get(event.type) ?? []).entries()) {
    if (when && !when(event)) continue;
    if (tells !== by) {
      [by, announcement] = [tells, tells(event)];
      data = announcement && { object: announcement.object, previous: announcement.previous };
    }
    if (announcement && data) placed.push({ place, type, announcement, data });
  }
  return placed;
}

/** The same as webhook events of an environment; the same to the byte whenever it is asked. */
export const addressedOf = (event: LoggedEvent, env: Environment): Addressed[] =>
  announcementsOf(event).map(({ place, type, announcement, data }) => ({
    envelope: envelope(event, env, type, place, announcement.occurredAt, data),
    endpoint: announcement.endpoint ?? null,
  }));

/** The same, whoever it is for. */
export const envelopesOf = (event: LoggedEvent, env: Environment): Envelope[] =>
  addressedOf(event, env).map(({ envelope }) => envelope);

function envelope(
  { id, site, env, subjectId, position, recordedAt }: LoggedEvent,
  environment: Environment,
  type: string,
  place: number,
  occurredAt: Instant,
  data: Envelope['data'],
): Envelope {
  return {
    // What is about a whole site is told in each environment, by an event of its own.
    id: derivedId('evt', epochMs(recordedAt), env === null ? `${id} ${type} ${environment}` : `${id} ${type}`),
    type,
    apiVersion: WEBHOOK_API_VERSION,
    createdAt: recordedAt,
    occurredAt,
    environment,
    site,
    sequence: sequenceOf(position, place),
    subject: subjectId === null ? null : { id: subjectId },
    data,
  };
}

/** What is sent and signed, in UTF-8. */
export const bodyText = (envelope: Envelope): string => JSON.stringify(envelope);
