import type { ConcurrencyLimit } from '../http/concurrency-limit.js';
import type { OperatorVerifier } from './callers/authenticate.js';
import type { OperatorSignIn } from './oidc/sign-in.js';
import type { OperationTable } from './operation-table.js';
import type { RateLimiter } from './limits/rate-limit.js';
import type { RecordQuota } from './limits/record-quota.js';
import type { DEFAULT_RATE_LIMITS } from './state.js';
import type { VisitorLinks } from './subject-access.js';

/** Token of the AccessRules. */
export const ACCESS_RULES = Symbol('AccessRules');

export interface AccessRules {
  operatorOf: OperatorVerifier;
  /** Tells for a public key whether a visitor is linked to a person. */
  visitors: VisitorLinks;
  /** All operations of the service, including those that other processes serve. */
  operations: OperationTable;
  /** CIDR ranges of proxies whose `X-Forwarded-For` is believed; default none. */
  trustedProxies?: readonly string[];
  /** Default: in this process. */
  limiter?: RateLimiter;
  /** Bounds what public keys add to one subject. Default: counted in this process. */
  quota?: RecordQuota;
  /** How operators sign in in a browser. Default: by any token. */
  signIn?: OperatorSignIn;
  /** Origins of the service's own pages, see own-pages.ts; default none. */
  ownOrigins?: ReadonlySet<string>;
  /** Whether pages of this machine may use public keys of `test` without an origin list of their own, on any port. */
  localPages?: boolean;
  /**
   * Part of the hash under which an address is counted. Processes with a shared limiter need the same. Default: random
   * per process.
   */
  addressSalt?: string;
  /** Notes refusals that only an operator can correct. pino fits. */
  log?: { warn(details: object, message: string): void };
  /** How many writes may be under way at once. Default: any number. */
  writeLimit?: ConcurrencyLimit;
  /** Replace the service's defaults. A site's own limits come before both. */
  limits?: Partial<typeof DEFAULT_RATE_LIMITS>;
}
