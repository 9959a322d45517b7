import type { Request, Response } from 'express';
import { proceed, Refused, systemClock } from '../../kernel/index.js';
import type { CalledRequest } from '../../http/caller.js';
import { refused } from '../../http/errors/refused.js';
import type { OperationAccess, OperationDeclaration } from '../../context/operations.js';
import { grants } from '../../context/scopes.js';
import type { AccessRules } from '../access-rules.js';
import type { Accounts, WorkAccount } from '../account.js';
import { parseKey } from './api-key.js';
import { authenticate, bearer, type KnownOperator } from './authenticate.js';
import type { CallerAddress } from './caller-addresses.js';
import { allowOrigin, forbidOrigin, varyByCaller } from './cors.js';
import { credentialsHint, originHint, secretKeyHint } from './explain.js';
import type { KeyDirectory, KnownKey } from '../sites/key-directory.js';
import type { KeyUse } from '../sites/key-use.js';
import type { NotedOnce } from './noted-once.js';
import { ORIGIN_SHOWN_MAX, PageOrigins } from './page-origins.js';
import { isOwnPage, mayUseOnOwnPage } from './own-pages.js';
import { DEFAULT_RATE_LIMITS, type SiteState } from '../state.js';
import { unknownSite } from '../sites/unknown-site.js';
import { FIRST_TOKEN_ID } from '../operators/operator-token-state.js';
import type { OperatorSessions } from '../operators/operator-sessions.js';
import { requireRole } from './roles.js';

/** How long a request waits for the keys while the process is starting. */
const READY_WITHIN_MS = 2000;

export type Call = Request & CalledRequest & { requestId?: string };

/** A request as it arrives at the guard. */
export interface Arrival {
  operation: OperationDeclaration;
  request: Call;
  response: Response;
  address: CallerAddress;
}

/** The caller. `account` is null for callers without a rate limit. */
export interface Identified {
  /** Null for all others. */
  operator: KnownOperator | null;
  known: KnownKey | null;
  /** Of the key, or the one that an operator named in the path; null where there is none. */
  site: SiteState | null;
  account: WorkAccount | null;
}

/** An operator, or a caller of an operation without limit. */
const UNLIMITED: Identified = { known: null, site: null, account: null, operator: null };

/**
 * Identifies the caller from the headers alone. Refuses a caller who may not call the operation, and charges one unit to
 * each caller with a limit. Throws Refused.
 */
export class Callers {
  private readonly limits: typeof DEFAULT_RATE_LIMITS;
  private readonly ownOrigins: ReadonlySet<string>;
  private readonly origins: PageOrigins;
  private firstNoted = false;

  constructor(
    private readonly rules: AccessRules,
    private readonly directory: KeyDirectory,
    private readonly uses: KeyUse,
    private readonly accounts: Accounts,
    private readonly noted: NotedOnce,
    private readonly sessions: Pick<OperatorSessions, 'ofConsole'>,
  ) {
    this.ownOrigins = rules.ownOrigins ?? new Set();
    this.origins = new PageOrigins(directory, rules);
    this.limits = { ...DEFAULT_RATE_LIMITS, ...rules.limits };
  }

  /** The calling key; null for the operator and for callers without a key. Makes all refusals that need only headers. */
  identify(arrival: Arrival): Identified | Promise<Identified> {
    const { operation, request, response } = arrival;
    if (operation.keys.includes('none') || isCapabilityAlone(operation, request)) {
      if (!operation.limited) return UNLIMITED;
      return proceed(this.limitAddress(arrival), (account) => ({ ...UNLIMITED, account }));
    }
    const { origin, authorization } = request.headers;
    // So that the page can read the refusal. The key's own list decides below.
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
    const operator = await (presented === null ? this.signedIn(arrival.request) : this.rules.operatorOf(presented));
    if (operator !== null) {
      if (operator.id === FIRST_TOKEN_ID) this.noteFirst();
      requireRole(arrival.operation, operator, arrival.request.params as Record<string, string>);
      return this.siteOf(arrival.request, operator);
    }
    return this.unauthenticated(
      arrival,
      presented === null ? 'api_key_missing' : 'api_key_invalid',
      credentialsHint(arrival.request.headers.authorization, 'operator'),
    );
  }

  /** Where the environment stands in the body, or follows from a key: that the role of the operator counts there. */
  requireRoleThere({ operation, request }: Arrival, operator: KnownOperator): void {
    const { site, id } = request.params as Record<string, string>;
    const env =
      operation.envBy === 'body'
        ? (request.input as { env: string }).env
        : this.directory.site(site!)?.keys.get(id!)?.env;
    // The handler answers that there is no such key.
    if (env !== undefined) requireRole(operation, operator, { site: site!, env });
  }

  /** The operator of a session of the console. Only operations under `/admin/v1` are for operators. */
  private async signedIn({ headers }: Call): Promise<KnownOperator | null> {
    if (headers.authorization !== undefined) return null;
    const session = await this.sessions.ofConsole(headers);
    return session && { ...session.operator, session: session.id };
  }

  private noteFirst(): void {
    if (this.firstNoted) return;
    this.firstNoted = true;
    this.rules.log?.warn(
      { fix: 'Issue each operator a token of their own: assent operator-tokens issue.' },
      'the operator token of the first start was used, which is meant for emergencies',
    );
  }

  /** For an unknown key: another process may have issued it a moment ago. */
  private async identifyLate(presented: string | null, arrival: Arrival): Promise<Identified> {
    if (!this.directory.isReady) await this.directory.ready(READY_WITHIN_MS);
    let known = authenticate(presented, this.directory, systemClock);
    if ('refused' in known && (await this.mayBeNew(presented)))
      known = authenticate(presented, this.directory, systemClock);
    if (!('refused' in known)) return this.admitted(known, arrival);
    return this.unauthenticated(arrival, known.refused, credentialsHint(arrival.request.headers.authorization, 'key'));
  }

  /** Admits a key with the right secret, and charges it. */
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
    return proceed(limited, (account) => ({ known, site, account, operator: null }));
  }

  /**
   * True if another process issued the key a moment ago, found by reading the newest events of the log. Rejects with
   * DependencyUnavailable if the log does not answer in time, because "the key is not valid" could then be false.
   */
  private async mayBeNew(presented: string | null): Promise<boolean> {
    const key = presented === null ? null : parseKey(presented);
    return key !== null && (await this.directory.lookForKey(key.id));
  }

  /** The site must exist: a typing error of the operator must not register another one. */
  private async siteOf({ params }: Call, operator: KnownOperator): Promise<Identified> {
    const { site } = params as { site?: string };
    if (!this.directory.isReady) await this.directory.ready(READY_WITHIN_MS);
    // Operators see and change the newest state, whichever process wrote it.
    await this.directory.lookForChanges();
    if (site !== undefined && !this.directory.site(site) && !(await this.directory.lookForSite(site)))
      throw new Refused(unknownSite(site, this.directory));
    return { ...UNLIMITED, operator, site: (site !== undefined && this.directory.site(site)) || null };
  }

  private async unauthenticated(
    arrival: Arrival,
    code: 'api_key_missing' | 'api_key_invalid' | 'api_key_expired',
    hint: string | undefined,
  ): Promise<never> {
    await this.limitAddress(arrival);
    throw refused(code, hint);
  }

  /** Requests without a key are counted by their address. */
  private limitAddress({ response, address }: Arrival): WorkAccount | Promise<WorkAccount> {
    return this.accounts.open(response, countedBy('', address), this.limits.unauthenticated);
  }

  /** Refuses what a valid key may not do here. */
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

/** Express parses the query at each access, which takes 1 µs: only operations that take capabilities do so. */
export const hasCapability = ({ byCapability }: OperationAccess, request: Pick<Call, 'query'>): boolean =>
  byCapability !== undefined && request.query[byCapability] !== undefined;

/** A caller who sends credentials too is judged by them, so that a wrong key is noticed. */
const isCapabilityAlone = (operation: OperationAccess, request: Call): boolean =>
  hasCapability(operation, request) && request.headers.authorization === undefined;
