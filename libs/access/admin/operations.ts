import { ListQuery } from '../../http/list.js';
import { LASTING_IDEMPOTENCY, REPLAYED } from '../../http/idempotency-key.js';
import { BY_OPERATOR, KB, type OperationDeclaration } from '../../context/operations.js';
import { TO_ADMINISTER, TO_BUILD, TO_LOOK, TO_READ_SETTINGS } from '../../context/roles.js';
import {
  ChangeOriginsDto,
  IssuedKeyDto,
  IssueKeyDto,
  KeyDto,
  KeyListDto,
  KeyListQuery,
  RegisterSiteDto,
  RevokeKeyDto,
  RotatedKeyDto,
  RotateKeyDto,
  SiteDto,
  SiteListDto,
} from './dto.js';

const AT = '2026-11-21T12:00:00.000Z';
const SITE = {
  site: 'shop',
  name: 'Shop Example',
  domains: ['shop.example'],
  languages: ['en'],
  defaultLocale: 'en',
  allowedOrigins: { test: [], live: ['https://shop.example'] },
  rateLimits: { pk: { perSecond: 50, burst: 250 }, sk: null },
  confirmationHours: 48,
  evidence: { ip: 'TRUNCATED', userAgent: true },
  allowSecretKeyInBrowser: false,
  linkedVisitors: 'CLOSED',
  ledger: 'CLOSED',
  identifierKinds: ['custom.loyalty_card'],
  frameworks: {
    tcf: { cmpId: 300, cmpVersion: 4 },
    gpp: { approach: 'STATE', unsettledSections: false, mspa: { covered: false, mode: null } },
  },
};
const KEY = {
  id: 'key_4Zt8nXq2LmPa',
  type: 'sk',
  env: 'test',
  name: 'backend',
  last4: 'x9Qz',
  scopes: ['*'],
  allowedOrigins: null,
  state: 'live',
  createdAt: AT,
  createdBy: 'operator:opt_first',
  expiresAt: null,
  rotatedFrom: null,
  replacedBy: null,
  revokedAt: null,
};
const PATH = { site: { description: 'Site.', example: 'demo' } };
const KEY_PATH = { ...PATH, id: { description: 'Id of the key.', example: 'key_4Zt8nXq2LmPa' } };
const POSITION = { 'X-Log-Position': 'Position of the change in the log.', ...REPLAYED };
const AFTER_WRITE = [
  {
    name: 'X-Log-Position',
    description: 'As a write answered it: the answer reflects at least that write.',
    required: false,
    example: '42',
  },
];

export const ADMIN_OPERATIONS: readonly OperationDeclaration[] = [
  {
    ...BY_OPERATOR,
    id: 'listSites',
    roles: TO_LOOK,
    method: 'GET',
    path: '/admin/v1/sites',
    tag: 'Operator',
    summary: 'All sites',
    description: 'Every site that the operator’s roles reach, by name.',
    query: ListQuery,
    headers: AFTER_WRITE,
    answers: [
      {
        status: 200,
        description: 'A page of sites.',
        contract: SiteListDto,
        example: { data: [SITE], nextCursor: null, hasMore: false },
        headers: { Link: 'Address of the next page, `rel="next"`.' },
      },
    ],
    refusals: ['validation_failed'],
  },
  {
    ...BY_OPERATOR,
    id: 'registerSite',
    roles: TO_ADMINISTER,
    method: 'POST',
    path: '/admin/v1/sites',
    bodyLimit: 64 * KB,
    tag: 'Operator',
    summary: 'Register a site',
    description:
      'A site has its own keys, purposes and subjects, in `test` and in `live`. Registering the same again changes nothing.',
    headers: [LASTING_IDEMPOTENCY],
    body: {
      contract: RegisterSiteDto,
      examples: {
        shop: {
          site: 'shop',
          name: 'Shop Example',
          domains: ['shop.example'],
          allowedOrigins: { live: ['https://shop.example'] },
          rateLimits: { pk: { perSecond: 50, burst: 250 } },
          identifierKinds: ['custom.loyalty_card'],
        },
        frameworks: {
          site: 'shop',
          name: 'Shop Example',
          frameworks: { tcf: { cmpId: 300, cmpVersion: 4 }, gpp: { mspa: { covered: true, mode: 'OPT_OUT' } } },
        },
        dataMinimised: { site: 'shop', name: 'Shop Example', evidence: { ip: 'NONE', userAgent: false } },
      },
    },
    answers: [{ status: 201, description: 'The site.', contract: SiteDto, example: SITE, headers: POSITION }],
    refusals: ['validation_failed', 'state_conflict'],
  },
  {
    ...BY_OPERATOR,
    id: 'changeOrigins',
    roles: TO_BUILD,
    envBy: 'body',
    method: 'POST',
    path: '/admin/v1/sites/{site}/origins',
    bodyLimit: 64 * KB,
    tag: 'Operator',
    summary: 'Allow origins, or allow them no longer',
    description:
      'Changes one list of `allowedOrigins` as it stands at that moment: of two operators who add an origin at once neither undoes the other, as they could by sending the whole list. What stands as wanted already changes nothing.',
    pathParameters: PATH,
    headers: [LASTING_IDEMPOTENCY],
    body: {
      contract: ChangeOriginsDto,
      examples: {
        added: { env: 'live', add: ['https://shop.example'] },
        moved: { env: 'live', add: ['https://www.shop.example'], remove: ['https://shop.example'] },
      },
    },
    answers: [{ status: 200, description: 'The site.', contract: SiteDto, example: SITE, headers: POSITION }],
    refusals: ['route_not_found', 'validation_failed', 'state_conflict'],
  },
  {
    ...BY_OPERATOR,
    id: 'listKeys',
    roles: TO_READ_SETTINGS,
    method: 'GET',
    path: '/admin/v1/sites/{site}/keys',
    tag: 'Operator',
    summary: 'Keys of a site',
    description:
      'Every key that the site ever had in the environments that the operator’s roles reach, newest first. Never the keys themselves: their last four characters.',
    pathParameters: PATH,
    query: KeyListQuery,
    headers: AFTER_WRITE,
    answers: [
      {
        status: 200,
        description: 'A page of keys.',
        contract: KeyListDto,
        example: { data: [{ ...KEY, lastUsedAt: AT }], nextCursor: null, hasMore: false },
        headers: { Link: 'Address of the next page, `rel="next"`.' },
      },
    ],
    refusals: ['route_not_found', 'validation_failed'],
  },
  {
    ...BY_OPERATOR,
    id: 'issueKey',
    roles: TO_BUILD,
    envBy: 'body',
    method: 'POST',
    path: '/admin/v1/sites/{site}/keys',
    bodyLimit: 64 * KB,
    tag: 'Operator',
    summary: 'Issue a key',
    description: 'The key itself is shown in this answer and never again; the service keeps a hash.',
    pathParameters: PATH,
    headers: [LASTING_IDEMPOTENCY],
    body: { contract: IssueKeyDto, examples: { backend: { type: 'sk', env: 'test', name: 'backend' } } },
    answers: [
      {
        status: 201,
        description: 'The key.',
        contract: IssuedKeyDto,
        example: { ...KEY, key: 'sk_test_…' },
        headers: POSITION,
      },
    ],
    refusals: ['route_not_found', 'validation_failed', 'state_conflict'],
  },
  {
    ...BY_OPERATOR,
    id: 'rotateKey',
    roles: TO_BUILD,
    envBy: 'key',
    method: 'POST',
    path: '/admin/v1/sites/{site}/keys/{id}/rotate',
    bodyLimit: 4 * KB,
    tag: 'Operator',
    summary: 'Rotate a key',
    description:
      'Issues the successor of a key: same type, environment, name, scopes and origins, and, where the key was issued for a time, as long a time again. Shown in this answer and never again. The old key, and the identity tokens that it signed, hold until `overlapEndsAt`; then it is `api_key_expired`, on every instance. A key that was rotated, expired or revoked is refused with `state_conflict`, so that a key has one successor at most.',
    pathParameters: KEY_PATH,
    headers: [LASTING_IDEMPOTENCY],
    body: { contract: RotateKeyDto, examples: { yearly: { overlap: '24h', reason: 'yearly' } } },
    answers: [
      {
        status: 201,
        description: 'The successor.',
        contract: RotatedKeyDto,
        example: {
          ...KEY,
          rotatedFrom: 'key_7Rw2mKp9TbVc',
          key: 'sk_test_…',
          overlapEndsAt: '2026-11-22T12:00:00.000Z',
        },
        headers: POSITION,
      },
    ],
    refusals: ['key_not_found', 'route_not_found', 'validation_failed', 'state_conflict'],
  },
  {
    ...BY_OPERATOR,
    id: 'revokeKey',
    roles: TO_BUILD,
    envBy: 'key',
    method: 'POST',
    path: '/admin/v1/sites/{site}/keys/{id}/revoke',
    bodyLimit: 4 * KB,
    tag: 'Operator',
    summary: 'Revoke a key',
    description: 'Holds on every instance within 5 s.',
    pathParameters: KEY_PATH,
    headers: [LASTING_IDEMPOTENCY],
    body: { contract: RevokeKeyDto, examples: { leaked: { reason: 'leaked' } } },
    answers: [
      {
        status: 200,
        description: 'The key.',
        contract: KeyDto,
        example: { ...KEY, state: 'revoked', revokedAt: AT },
        headers: POSITION,
      },
    ],
    refusals: ['key_not_found', 'route_not_found', 'validation_failed', 'state_conflict'],
  },
];
