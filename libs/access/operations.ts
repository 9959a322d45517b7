import { OUTBOX_OPERATIONS } from '../platform/mail/outbox-pages.js';
import type { KeyType } from './api-key.js';
import type { AccessScope } from './scopes.js';

export type KeyKind = KeyType | 'operator' | 'none';

/** Where an operation names the data subject it is about: every place that a public key must not reach freely. */
export type SubjectPlace =
  | { in: 'path' | 'query' | 'body'; name: string }
  /** Each item of a list in the body. */
  | { in: 'batch'; list: string; name: string };

export interface OperationAccess {
  id: string;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** As in the OpenAPI document, with `{name}` for a segment. */
  path: string;
  keys: readonly KeyKind[];
  scope: AccessScope | null;
  subject: SubjectPlace | null;
  /** Bytes of a JSON body; absent where none is read. */
  bodyLimit?: number;
  /** Code of the refusal of a larger body; `body_too_large` unless named. */
  tooLarge?: 'batch_too_large';
  /**
   * Called by whoever has a link, whose token is the permission: forms are read beside JSON, how often one token is used is
   * limited, and what the request shows is kept as evidence.
   */
  byLink?: true;
  /** Whether pages of the site's origins may call it. */
  cors: boolean;
  /** False only for probes: a flood from one address must not make an instance look dead. */
  limited: boolean;
}

const KB = 1024;
const MB = 1024 * KB;

const any = { keys: ['pk', 'sk'], cors: true, limited: true } as const;
const secret = { keys: ['sk'], cors: false, limited: true } as const;
const operator = { keys: ['operator'], scope: null, subject: null, cors: false, limited: true } as const;
const open = { method: 'GET', keys: ['none'], scope: null, subject: null, cors: false, limited: true } as const;
const link = { ...open, method: 'POST', byLink: true } as const;
const ofPath = { in: 'path', name: 'ref' } as const;

/**
 * Who may call what: the one table. A handler that is not in it is refused, so that forgetting an entry closes a door
 * instead of opening one.
 */
export const OPERATIONS = [
  {
    ...any,
    id: 'recordConsent',
    method: 'POST',
    path: '/v1/consent',
    scope: 'consent:write',
    subject: { in: 'body', name: 'subject' },
    bodyLimit: 64 * KB,
  },
  {
    ...any,
    id: 'recordConsentBatch',
    method: 'POST',
    path: '/v1/consent/batch',
    scope: 'consent:write',
    subject: { in: 'batch', list: 'records', name: 'subject' },
    bodyLimit: 2 * MB,
    tooLarge: 'batch_too_large',
  },
  {
    ...any,
    id: 'getConsentState',
    method: 'GET',
    path: '/v1/subjects/{ref}/consent',
    scope: 'consent:read',
    subject: ofPath,
  },
  {
    ...any,
    id: 'explainConsent',
    method: 'GET',
    path: '/v1/subjects/{ref}/consent/explain',
    scope: 'consent:read',
    subject: ofPath,
  },
  {
    ...secret,
    id: 'getConsentHistory',
    method: 'GET',
    path: '/v1/subjects/{ref}/consent/history',
    scope: 'history:read',
    subject: ofPath,
  },

  {
    ...any,
    id: 'setPreferences',
    method: 'POST',
    path: '/v1/preferences',
    scope: 'preferences:write',
    subject: { in: 'body', name: 'subject' },
    bodyLimit: 64 * KB,
  },
  {
    ...any,
    id: 'getPreferences',
    method: 'GET',
    path: '/v1/subjects/{ref}/preferences',
    scope: 'preferences:read',
    subject: ofPath,
  },
  {
    ...secret,
    id: 'getPreferenceHistory',
    method: 'GET',
    path: '/v1/subjects/{ref}/preferences/history',
    scope: 'history:read',
    subject: ofPath,
  },

  {
    ...secret,
    id: 'createSubject',
    method: 'POST',
    path: '/v1/subjects',
    scope: 'subjects:write',
    subject: null,
    bodyLimit: 64 * KB,
  },
  {
    ...secret,
    id: 'mergeSubjects',
    method: 'POST',
    path: '/v1/subjects/merge',
    scope: 'subjects:write',
    subject: null,
    bodyLimit: 64 * KB,
  },
  {
    ...secret,
    id: 'revertMerge',
    method: 'POST',
    path: '/v1/subjects/merge/{mergeId}/revert',
    scope: 'subjects:write',
    subject: null,
    bodyLimit: 4 * KB,
  },
  { ...secret, id: 'getSubject', method: 'GET', path: '/v1/subjects/{ref}', scope: 'subjects:read', subject: ofPath },
  {
    ...secret,
    id: 'addIdentifier',
    method: 'POST',
    path: '/v1/subjects/{ref}/identifiers',
    scope: 'subjects:write',
    subject: ofPath,
    bodyLimit: 64 * KB,
  },
  {
    ...secret,
    id: 'restrictSubject',
    method: 'POST',
    path: '/v1/subjects/{ref}/restrict',
    scope: 'subjects:write',
    subject: ofPath,
    bodyLimit: 4 * KB,
  },
  {
    ...secret,
    id: 'liftRestriction',
    method: 'POST',
    path: '/v1/subjects/{ref}/lift-restriction',
    scope: 'subjects:write',
    subject: ofPath,
    bodyLimit: 4 * KB,
  },
  {
    ...secret,
    id: 'eraseSubject',
    method: 'POST',
    path: '/v1/subjects/{ref}/erase',
    scope: 'subjects:erase',
    subject: ofPath,
    bodyLimit: 4 * KB,
  },

  { ...any, id: 'listPurposes', method: 'GET', path: '/v1/purposes', scope: 'catalogue:read', subject: null },
  {
    ...any,
    id: 'getPurpose',
    method: 'GET',
    path: '/v1/purposes/{key}/current',
    scope: 'catalogue:read',
    subject: null,
  },
  {
    ...any,
    id: 'listPurposeVersions',
    method: 'GET',
    path: '/v1/purposes/{key}/versions',
    scope: 'catalogue:read',
    subject: null,
  },
  {
    ...any,
    id: 'getPurposeVersion',
    method: 'GET',
    path: '/v1/purposes/{key}/versions/{n}',
    scope: 'catalogue:read',
    subject: null,
  },
  {
    ...any,
    id: 'getPreferenceTemplate',
    method: 'GET',
    path: '/v1/preference-template',
    scope: 'catalogue:read',
    subject: null,
  },

  {
    ...secret,
    id: 'requestConfirmation',
    method: 'POST',
    path: '/v1/preferences/confirmation-token',
    scope: 'preferences:write',
    subject: { in: 'body', name: 'subject' },
    bodyLimit: 64 * KB,
  },
  {
    ...secret,
    id: 'makeUnsubscribeLink',
    method: 'POST',
    path: '/v1/preferences/unsubscribe-link',
    scope: 'preferences:write',
    subject: { in: 'body', name: 'subject' },
    bodyLimit: 4 * KB,
  },
  { ...link, id: 'confirmPreferences', path: '/v1/preferences/confirm', bodyLimit: 4 * KB },
  { ...link, id: 'unsubscribe', path: '/v1/preferences/unsubscribe', bodyLimit: 4 * KB },
  { ...open, id: 'confirmPage', path: '/v1/preferences/confirm' },
  { ...open, id: 'unsubscribePage', path: '/v1/preferences/unsubscribe' },

  { ...open, id: 'getKeySet', path: '/.well-known/jwks.json' },

  {
    ...operator,
    id: 'applyCatalogue',
    method: 'POST',
    path: '/admin/v1/sites/{site}/{env}/catalogue',
    bodyLimit: 2 * MB,
  },
  { ...operator, id: 'listSites', method: 'GET', path: '/admin/v1/sites' },
  { ...operator, id: 'registerSite', method: 'POST', path: '/admin/v1/sites', bodyLimit: 64 * KB },
  { ...operator, id: 'listKeys', method: 'GET', path: '/admin/v1/sites/{site}/keys' },
  { ...operator, id: 'issueKey', method: 'POST', path: '/admin/v1/sites/{site}/keys', bodyLimit: 64 * KB },
  { ...operator, id: 'rotateKey', method: 'POST', path: '/admin/v1/sites/{site}/keys/{id}/rotate', bodyLimit: 4 * KB },
  { ...operator, id: 'revokeKey', method: 'POST', path: '/admin/v1/sites/{site}/keys/{id}/revoke', bodyLimit: 4 * KB },

  { ...open, id: 'livez', path: '/livez', limited: false },
  { ...open, id: 'readyz', path: '/readyz', limited: false },
  { ...open, id: 'metrics', path: '/metrics', limited: false },
  { ...open, id: 'getOpenApi', path: '/openapi.json' },
  { ...open, id: 'getDocs', path: '/docs' },
  { ...open, id: 'getReference', path: '/docs/reference' },
  { ...open, id: 'listErrors', path: '/docs/errors' },
  { ...open, id: 'getErrorPage', path: '/docs/errors/{code}' },
  { ...open, id: 'getDocsAsset', path: '/docs/assets/{asset}' },
  ...OUTBOX_OPERATIONS.map((operation) => ({ ...open, ...operation })),
] as const satisfies readonly OperationAccess[];

export type OperationId = (typeof OPERATIONS)[number]['id'];

const byId = new Map<string, OperationAccess>(OPERATIONS.map((operation) => [operation.id, operation]));
export const operationOf = (id: string | undefined): OperationAccess | undefined =>
  id === undefined ? undefined : byId.get(id);

const paths = OPERATIONS.map((operation: OperationAccess) => ({
  operation,
  pattern: new RegExp(`^${operation.path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}/?$`),
}));
/** The operations that a URL path can mean, one per method. */
export const operationsAt = (path: string): OperationAccess[] =>
  paths.filter(({ pattern }) => pattern.test(path)).map(({ operation }) => operation);
