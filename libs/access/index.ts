export { AccessModule, type AccessDependencies, type AccessWiring } from './access.module.js';
export { KEY_TYPES, type KeyType } from '../context/scopes.js';
export { EndedSessions } from './operators/ended-sessions.js';
export { OperatorSessions, SESSION_HOURS, type OperatorSession } from './operators/operator-sessions.js';
export { conditionOfToken, FIRST_TOKEN_ID } from './operators/operator-token-state.js';
export { DemoSite } from './operators/demo-site.js';
export { OperatorTokens } from './operators/operator-tokens.js';
export { roleMissing } from './callers/roles.js';
export { operatorVerifier, type KnownOperator, type OperatorVerifier } from './callers/authenticate.js';
export { NO_BRAND, type Brand, type ByLanguage } from './sites/brand.js';
export { brandOfSite, shownBrand } from './sites/shown-brand.js';
export { contrast, PAGE_GROUNDS, textOn } from '../kernel/contrast.js';
export { cmpNamed, NO_FRAMEWORKS, TEST_CMP, type Cmp, type FrameworkSettings } from './sites/framework-settings.js';
export { serveTwins, undeclaredRoutes, unservedOperations } from './declared-routes.js';
export type { RateLimitPolicy, SiteSettings } from './events.js';
export { ACCESS_RULES, type AccessRules } from './access-rules.js';
export { AccessGuard } from './guard.js';
export { KeyDirectory, STALE_AFTER_MS, type KnownKey } from './sites/key-directory.js';
export { OperationTable } from './operation-table.js';
export * from '../context/operations.js';
export { LASTING_IDEMPOTENCY, REPLAYED } from '../http/idempotency-key.js';
export {
  everyRead,
  listReads,
  placeOf,
  readsByReader,
  type ReadsPlace,
  type ReadsWanted,
  type SubjectRead,
} from './reads/list-reads.js';
export { keyOfLook, operatorLooks, type LooksWanted, type OperatorLook } from './reads/operator-looks.js';
export { listSignIns, RefusedSignIns, type SignInRow, type SignInsWanted } from './operators/sign-ins.js';
export { EVERYBODY, SubjectReads, writeReads, type NotedReads } from './reads/subject-reads.js';
export {
  PORTAL_SCOPES,
  PORTAL_TOKEN_LENGTH_MAX,
  PORTAL_TOKEN_SECONDS,
  PORTAL_TOKEN_TYPE,
  portalClaims,
  portalReference,
  type PortalGrant,
} from './tokens/portal-token.js';
export { PortalTokens, type StatementReader } from './tokens/portal-tokens.js';
export { isOwnPage, ownOrigins } from './callers/own-pages.js';
export { RECORD_QUOTA, RECORDS_A_DAY, type RecordQuota } from './limits/record-quota.js';
export type { Logo } from './sites/logo.js';
export { MemoryRateLimiter, type RateLimiter, type RateLimitOutcome } from './limits/rate-limit.js';
export { EVERY_SCOPE, grants, SCOPES, type AccessScope, type GrantedScope } from '../context/scopes.js';
export { identityKeyPurpose, type Sealer } from './tokens/sealer.js';
export { Sites, type KeyIssued, type KeyRequest, type SiteDone } from './sites/sites.js';
export { DEFAULT_SETTINGS, type KeyState, type SiteState } from './state.js';
