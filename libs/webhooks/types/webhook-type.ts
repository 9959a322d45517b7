import type { Environment, Instant, Position } from '../../kernel/index.js';
import type { Contract } from '../../http/contract/operation.js';

/** An event of the log as webhooks look at it: in today's schema, without what is personal in it. */
export interface LoggedEvent<D = unknown> {
  /** UUID; the same wherever the event is copied to. */
  id: string;
  type: string;
  data: D;
  site: string;
  /** Null: it stands on the stream of the whole site, and whoever tells of it has to know the environment, such as that of a key. */
  env: Environment | null;
  /** Whose stream it stands on, or whom it names; null where it is about nobody in particular. */
  subjectId: string | null;
  revision: number;
  position: Position;
  recordedAt: Instant;
}

/** What a webhook event tells: its `data`, and when that happened. */
export interface Told {
  occurredAt: Instant;
  object: object;
  /** What was true before; null where nothing was, or that is not known. */
  previous: object | null;
  /** Where it is meant for one endpoint alone: its id. */
  endpoint?: string;
}

/** One type of webhook event: what receivers are promised of it, and how it is made of the log. */
export interface WebhookType<D = unknown> {
  /** `consent.granted` */
  type: string;
  description: string;
  /** Contract of `data.object`. */
  object: Contract;
  /** Contract of `data.previous`, which may still be null; null: it always is. */
  previous: Contract | null;
  /** The types of events of the log that it may be made of. */
  on: readonly string[];
  /** Which of these events it is made of. Pure. Absent: of each. */
  when?: (event: LoggedEvent<D>) => boolean;
  /**
   * Pure. Null where this event is none for this type. Personal fields are forgotten by then: it must not look at them.
   * Types in a row that have one function of it share what it tells of an event.
   */
  tells: (event: LoggedEvent<D>) => Told | null;
  /** An event of the log that it is made of, for the example: data of the first of `on`. */
  sample: D;
}

export const defineWebhook = <D>(type: WebhookType<D>): WebhookType => Object.freeze(type) as WebhookType;
