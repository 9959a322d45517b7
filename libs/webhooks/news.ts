/**
 * Channel of NOTIFY: notified in the transaction that writes webhook events of a site and environment, or changes what is
 * to be delivered to one of its endpoints. A listener that misses a notification looks again by itself.
 */
export const NEWS = 'webhook_events';

/** What there is news of. */
export interface News {
  /** `<site>.<env>` */
  scope: string;
  /** Types of the new events. */
  types: readonly string[];
  /** Whether the endpoints of the site and environment changed. */
  endpoints: boolean;
}

/** Stands among the types, which all have a dot. */
const ENDPOINTS = 'endpoints';

/** Well within the 8,000 bytes that a notification may have: there are some 35 types. */
export const newsText = ({ scope, types, endpoints }: News): string =>
  [scope, ...(endpoints ? [ENDPOINTS] : []), ...types].join(' ');

export function newsIn(text: string): News {
  const [scope = '', ...words] = text.split(' ');
  return { scope, types: words.filter((word) => word !== ENDPOINTS), endpoints: words.includes(ENDPOINTS) };
}
