/**
 * A delivery, as people and programs name it: which event, to which endpoint, and where it is sent again because of a
 * replay, which one. It stays the same when the tables of deliveries are lost and made anew.
 */
export interface DeliveryRef {
  /** `whe_…` */
  endpoint: string;
  /** `evt_…` */
  eventId: string;
  /** `whr_…`; null: the first time. */
  replayId: string | null;
}

const ULID = '[0-7][0-9A-HJKMNP-TV-Z]{25}';
const DELIVERY_ID = new RegExp(`^(whe_${ULID})\\.(evt_${ULID})(?:\\.(whr_${ULID}))?$`);
const KEY = new RegExp(`^(evt_${ULID})(?: (whr_${ULID}))?$`);

/** `whe_….evt_…`, with a replay `whe_….evt_….whr_…`. */
export const deliveryIdOf = ({ endpoint, eventId, replayId }: DeliveryRef): string =>
  [endpoint, eventId, ...(replayId === null ? [] : [replayId])].join('.');

/** Null where the text names no delivery. */
export function readDeliveryId(text: string): DeliveryRef | null {
  const [, endpoint, eventId, replayId = null] = DELIVERY_ID.exec(text) ?? [];
  return endpoint === undefined || eventId === undefined ? null : { endpoint, eventId, replayId };
}

/** What makes a delivery one of its own at its endpoint: `key` of the queue. */
export const deliveryKeyOf = ({ eventId, replayId }: Omit<DeliveryRef, 'endpoint'>): string =>
  replayId === null ? eventId : `${eventId} ${replayId}`;

/** Throws where it is no key of a delivery of webhooks. */
export function readDeliveryKey(key: string): Omit<DeliveryRef, 'endpoint'> {
  const [, eventId, replayId = null] = KEY.exec(key) ?? [];
  if (eventId === undefined) throw new TypeError(`"${key}" is no key of a webhook delivery`);
  return { eventId, replayId };
}
