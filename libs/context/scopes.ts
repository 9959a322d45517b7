/** `pk` may be read by anyone who opens the page; `sk` stays on servers. */
export const KEY_TYPES = ['pk', 'sk'] as const;
export type KeyType = (typeof KEY_TYPES)[number];

/** What a key may be limited to. Each names the key types that can hold it at all. */
export const SCOPES = {
  'consent:read': ['pk', 'sk'],
  'consent:write': ['pk', 'sk'],
  'preferences:read': ['pk', 'sk'],
  'preferences:write': ['pk', 'sk'],
  'receipts:read': ['pk', 'sk'],
  'history:read': ['sk'],
  'catalogue:read': ['pk', 'sk'],
  'statistics:read': ['sk'],
  'events:read': ['sk'],
  'subjects:read': ['sk'],
  'subjects:write': ['sk'],
  'subjects:erase': ['sk'],
  'requests:read': ['pk', 'sk'],
  'requests:write': ['pk', 'sk'],
  'webhooks:read': ['sk'],
  'webhooks:write': ['sk'],
  'portal-tokens:write': ['sk'],
} as const satisfies Record<string, readonly KeyType[]>;
export type AccessScope = keyof typeof SCOPES;

/**
 * `*`: whatever the key's type can hold, scopes of later releases included. The choice of a key that was issued
 * without a list, so that an upgrade does not lock its owner out of what is new.
 */
export const EVERY_SCOPE = '*';
export type GrantedScope = AccessScope | typeof EVERY_SCOPE;

export const isScope = (text: string): text is AccessScope => Object.hasOwn(SCOPES, text);
export const canHold = (type: KeyType, scope: AccessScope): boolean =>
  (SCOPES[scope] as readonly KeyType[]).includes(type);

export const grants = (type: KeyType, granted: readonly GrantedScope[], asked: AccessScope): boolean =>
  canHold(type, asked) && (granted.includes(EVERY_SCOPE) || granted.includes(asked));
