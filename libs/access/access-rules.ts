import type { ConcurrencyLimit } from '../http/concurrency-limit.js';
import type { OperatorVerifier } from './callers/authenticate.js';
import type { OperationTable } from './operation-table.js';
import type { RateLimiter } from './limits/rate-limit.js';
import type { RecordQuota } from './limits/record-quota.js';
import type { DEFAULT_RATE_LIMITS } from './state.js';
import type { VisitorLinks } from './subject-access.js';

/** Token of the AccessRules. */
export const ACCESS_RULES = Symbol('AccessRules');

export interface AccessRules {
  isOperator: OperatorVerifier;
  /** Asked about visitors whom public keys name. */
  visitors: VisitorLinks;
  /** Every operation of the service, whichever of them this process serves. */
  operations: OperationTable;
  /** CIDR ranges of the proxies whose `X-Forwarded-For` is believed; default none. */
  trustedProxies?: readonly string[];
  /** Default: in this process. */
  limiter?: RateLimiter;
  /** What public keys may add to one subject. Default: counted in this process. */
  quota?: RecordQuota;
  /** Origins of the pages of the service itself, see own-pages.ts; default none. */
  ownOrigins?: ReadonlySet<string>;
  /** Pages of this machine may use the public keys of `test` that have no list of their own, whatever port they are served at. */
  localPages?: boolean;
  /** Goes into the hash under which an address is counted; the same for all who share a limiter. Default: dies with the process. */
  addressSalt?: string;
  /** Where refusals are noted that only an operator can mend. pino fits. */
  log?: { warn(details: object, message: string): void };
  /** How many requests that change something may be under way at once. Default: any number. */
  writeLimit?: ConcurrencyLimit;
  /** Instead of the service's defaults; a site's own limits stand above both. */
  limits?: Partial<typeof DEFAULT_RATE_LIMITS>;
}
