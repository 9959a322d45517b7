import type { Request, Response } from 'express';
import { proceed, Refused, systemClock } from '../../kernel/index.js';
import type { CalledRequest } from '../../http/caller.js';
import { refused } from '../../http/errors/refused.js';
import type { OperationAccess, OperationDeclaration } from '../../context/operations.js';
import { grants } from '../../context/scopes.js';
import type { AccessRules } from '../access-rules.js';
import type { Accounts, WorkAccount } from '../account.js';
import { parseKey } from './api-key.js';
import { authenticate, bearer } from './authenticate.js';
import type { CallerAddress } from './caller-addresses.js';
import { allowOrigin, forbidOrigin, varyByCaller } from './cors.js';
import { credentialsHint, originHint, secretKeyHint } from './explain.js';
import type { KeyDirectory, KnownKey } from '../sites/key-directory.js';
import type { KeyUse } from '../sites/key-use.js';
import type { NotedOnce } from './noted-once.js';
import { ORIGIN_SHOWN_MAX, PageOrigins } from './page-origins.js';
import { isOwnPage, mayUseOnOwnPage } from './own-pages.js';
import { DEFAULT_RATE_LIMITS } from '../state.js';
import { unknownSite } from '../sites/unknown-site.js';

/** Longest wait for the keys when a request arrives while the process is starting. */
const READY_WITHIN_MS = 2000;

export type Call = Request & CalledRequest & { requestId?: string };

/** A request as it stands before the guard. */
export interface Arrival {
  operation: OperationDeclaration;
  request: Call;
  response: Response;
  address: CallerAddress;
}

/** Whoever is limited is charged to an account. */
export interface Identified {
  /** Id of the operator's token; null for all others. */
  operator: string | null;
  known: KnownKey | null;
  account: WorkAccount | null;
}

/** An operator, and whoever asks where nobody is limited. */
const NOBODY: Identified = { known: null, account: null, operator: null };

/**
 * Who is calling. Whoever may not call an operation is refused here, by the headers alone, and everybody who is limited
 * is charged for one request. Throws Refused.
 */
export class Callers {
  private readonly limits: typeof DEFAULT_RATE_LIMITS;
  private readonly ownOrigins: ReadonlySet<string>;
  private readonly origins: PageOrigins;

  constructor(
    private readonly rules: AccessRules,
    private readonly directory: KeyDirectory,
    private readonly uses: KeyUse,
    private readonly accounts: Accounts,
    private readonly noted: NotedOnce,
  ) {
    this.ownOrigins = rules.ownOrigins ?? new Set();
    this.origins = new PageOrigins(directory, rules);
    this.limits = { ...DEFAULT_RATE_LIMITS, ...rules.limits };
  }

  /** The key that is calling, null for the operator and for nobody. Everything that can be refused by headers is. */
  identify(arrival: Arrival): Identified | Promise<Identified> {
    const { operation, request, response } = arrival;
    if (operation.keys.includes('none') || isCapabilityAlone(operation, request)) {
      if (!operation.limited) return NOBODY;
      return proceed(this.limitAddress(arrival), (account) => ({ ...NOBODY, account }));
    }
    const { origin, authorization } = request.headers;
    // So that a page can read why it was refused; its key's own list decides below.
    if (operation.cors) {
      varyByCaller(response, operation.subject !== null);
      if (origin !== undefined && this.origins.isListed(origin)) allowOrigin(response, origin);
    }
    const presented = bearer(authorization);
    if (operation.keys.includes('operator')) return this.identifyOperator(presented, arrival);
    const known = this.directory.isReady ? authenticate(presented, this.directory, systemClock) : null;
    if (known && !('refused' in known)) return this.admitted(known, arrival);
    return this.identifyLate(presented, arrival);
  }

  private async identifyOperator(presented: string | null, arrival: Arrival): Promise<Identified> {
    const operator = presented === null ? null : await this.rules.isOperator(presented);
    if (operator !== null) return this.siteOf(arrival.request, operator);
    return this.unauthenticated(
      arrival,
      presented === null ? 'api_key_missing' : 'api_key_invalid',
      credentialsHint(arrival.request.headers.authorization, 'operator'),
    );
  }

  /** Of a key that is not known: perhaps it is not known yet. */
  private async identifyLate(presented: string | null, arrival: Arrival): Promise<Identified> {
    if (!this.directory.isReady) await this.directory.ready(READY_WITHIN_MS);
    let known = authenticate(presented, this.directory, systemClock);
    if ('refused' in known && (await this.mayBeNew(presented)))
      known = authenticate(presented, this.directory, systemClock);
    if (!('refused' in known)) return this.admitted(known, arrival);
    return this.unauthenticated(arrival, known.refused, credentialsHint(arrival.request.headers.authorization, 'key'));
  }

  /** Lets a key in whose secret was right, and charges it. */
  private admitted(known: KnownKey, arrival: Arrival): Identified | Promise<Identified> {
    const { key, site } = known;
    const { response, address } = arrival;
    this.uses.note(key.keyId);
    if (key.type === 'sk') forbidOrigin(response);
    this.admit(known, arrival);
    const limited = this.accounts.open(
      response,
      key.type === 'sk' ? key.keyId : countedBy(key.keyId, address),
      site.settings.rateLimits[key.type] ?? this.limits[key.type],
    );
    return proceed(limited, (account) => ({ known, account, operator: null }));
  }

  /**
   * True where another instance issued the key a moment ago, and the log was looked at for it. Rejects with
   * DependencyUnavailable where the log does not tell in time: that a key is not valid would not be true.
   */
  private async mayBeNew(presented: string | null): Promise<boolean> {
    const key = presented === null ? null : parseKey(presented);
    return key !== null && (await this.directory.lookForKey(key.id));
  }

  /** What the operator does to a site is done to one that exists: a typo must not start a second one. */
  private async siteOf({ params }: Call, operator: string): Promise<Identified> {
    const { site } = params as { site?: string };
    if (!this.directory.isReady) await this.directory.ready(READY_WITHIN_MS);
    // What the operator is shown, and changes, is what stands, whichever instance wrote it.
    await this.directory.lookForChanges();
    if (site !== undefined && !this.directory.site(site) && !(await this.directory.lookForSite(site)))
      throw new Refused(unknownSite(site, this.directory));
    return { ...NOBODY, operator };
  }

  private async unauthenticated(
    arrival: Arrival,
    code: 'api_key_missing' | 'api_key_invalid' | 'api_key_expired',
    hint: string | undefined,
  ): Promise<never> {
    await this.limitAddress(arrival);
    throw refused(code, hint);
  }

  /** What comes without a key is counted by where it comes from. */
  private limitAddress({ response, address }: Arrival): WorkAccount | Promise<WorkAccount> {
    return this.accounts.open(response, countedBy('', address), this.limits.unauthenticated);
  }

  /** What a valid key may still not do here. */
  private admit({ key, site }: KnownKey, { operation, request: { headers }, response }: Arrival): void {
    const { origin } = headers;
    if (!operation.keys.includes(key.type))
      throw refused(key.type === 'pk' ? 'secret_key_required' : 'public_key_required');
    if (operation.scope !== null && !grants(key.type, key.scopes, operation.scope))
      throw refused('scope_missing', `Use a key with the scope ${operation.scope}.`);
    if (origin === undefined) return;
    if (isOwnPage(headers, this.ownOrigins) && mayUseOnOwnPage(key)) return;
    if (key.type === 'sk') {
      if (site.settings.allowSecretKeyInBrowser) return;
      throw refused('origin_not_allowed', secretKeyHint(isOwnPage(headers, this.ownOrigins)));
    }
    if (this.origins.mayUse({ key, site }, origin)) return;
    forbidOrigin(response);
    const fix = originHint(origin, { key, site });
    this.noted.warn(
      `${key.keyId} ${origin}`,
      { site: site.site, env: key.env, key: key.keyId, origin: origin.slice(0, ORIGIN_SHOWN_MAX), fix },
      'a page of an origin that is not allowed used a public key',
    );
    throw refused('origin_not_allowed', fix);
  }
}

export const countedBy = (keyId: string, address: CallerAddress): string => `${keyId}.${address.counted}`;

/** Express reads the query each time it is asked for it, which took 1 µs: only where an operation knows capabilities. */
export const hasCapability = ({ byCapability }: OperationAccess, request: Pick<Call, 'query'>): boolean =>
  byCapability !== undefined && request.query[byCapability] !== undefined;

/** Whoever shows credentials too is held against them: a key that does not count is noticed. */
const isCapabilityAlone = (operation: OperationAccess, request: Call): boolean =>
  hasCapability(operation, request) && request.headers.authorization === undefined;
