/** `pk` may be read by anyone who opens the page; `sk` stays on servers. */
export const KEY_TYPES = ['pk', 'sk'] as const;
export type KeyType = (typeof KEY_TYPES)[number];

/** Scopes to which a key may be limited, each with the types of keys that can hold it. */
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
 * `*`: every scope that the key's type can hold, also those of later releases. Keys that were issued without a list have
 * it, so that their owners can use what an upgrade brings.
 */
export const EVERY_SCOPE = '*';
export type GrantedScope = AccessScope | typeof EVERY_SCOPE;

export const isScope = (text: string): text is AccessScope => Object.hasOwn(SCOPES, text);
export const canHold = (type: KeyType, scope: AccessScope): boolean =>
  (SCOPES[scope] as readonly KeyType[]).includes(type);

export const grants = (type: KeyType, granted: readonly GrantedScope[], asked: AccessScope): boolean =>
  canHold(type, asked) && (granted.includes(EVERY_SCOPE) || granted.includes(asked));
