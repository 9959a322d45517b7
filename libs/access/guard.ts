import { hash, randomBytes } from 'node:crypto';
import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { proceed, Refused, systemClock } from '../kernel/index.js';
import { requireAcceptable } from '../platform/http/accept.js';
import { isForm, readFormBody, readJsonBody, readOptionalJsonBody } from '../platform/http/body.js';
import type { CalledRequest } from '../platform/http/caller.js';
import type { ConcurrencyLimit } from '../platform/http/concurrency-limit.js';
import { compile } from '../platform/http/fields.js';
import { OPERATION } from '../platform/http/operation.js';
import { invalid, refused } from '../platform/http/refused.js';
import { Turns, TURNS_AT_ONCE } from '../platform/http/turns.js';
import { PartTime } from '../platform/part-time.js';
import { BODY_BYTES_PER_UNIT, WorkAccount } from './account.js';
import { parseKey } from './api-key.js';
import { authenticate, bearer, type OperatorVerifier } from './authenticate.js';
import { callerOf } from './caller-of-request.js';
import { CallerAddresses, type CallerAddress } from './caller-addresses.js';
import { trustedProxies } from './client-address.js';
import { allowOrigin, forbidOrigin, varyByCaller } from './cors.js';
import type { RateLimitPolicy } from './events.js';
import { credentialsHint, originHint, secretKeyHint } from './explain.js';
import { IdentityTokens } from './identity-tokens.js';
import type { VouchedIdentity } from './vouched-identity.js';
import { KeyDirectory, type KnownKey } from './key-directory.js';
import { KeyUse } from './key-use.js';
import type { OperationTable } from './operation-table.js';
import { isOwnPage, mayUseOnOwnPage } from './own-pages.js';
import type { OperationAccess, OperationDeclaration } from '../context/operations.js';
import { MemoryRateLimiter, type RateLimiter } from './rate-limit.js';
import type { RecordQuota } from './record-quota.js';
import { grants } from '../context/scopes.js';
import { DEFAULT_RATE_LIMITS, originsOf } from './state.js';
import { unknownSite } from './unknown-site.js';
import { authoriseSubjects, refuseLinked, refuseUnregisteredKind, type VisitorLinks } from './subject-access.js';

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
  /** Goes into the hash under which an address is counted; the same for all who share a limiter. Default: dies with the process. */
  addressSalt?: string;
  /** Where refusals are noted that only an operator can mend. pino fits. */
  log?: { warn(details: object, message: string): void };
  /** How many requests that change something may be under way at once. Default: any number. */
  writeLimit?: ConcurrencyLimit;
  /** Instead of the service's defaults; a site's own limits stand above both. */
  limits?: Partial<typeof DEFAULT_RATE_LIMITS>;
}

/** Longest wait for the keys when a request arrives while the process is starting. */
const READY_WITHIN_MS = 2000;

/** Under a higher limit more requests of one visitor begin in a round: one for so many units a second. */
const UNITS_PER_TURN = 10;

/** Characters of an origin in the log. */
const ORIGIN_SHOWN_MAX = 300;

/** How often one link can be used, from however many addresses. */
const LINK_LIMIT: RateLimitPolicy = { perSecond: 1, burst: 200 };

const OVERLOADED =
  'More is sent to be written than can be answered in time. Wait for the time in Retry-After and send the same request again.';

type Call = Request & CalledRequest & { requestId?: string };

/** Whoever is limited is charged to an account. */
interface Identified {
  /** Id of the operator's token; null for all others. */
  operator: string | null;
  known: KnownKey | null;
  account: WorkAccount | null;
}

/**
 * The one entry. In this order: operation, CORS, key, key type, scope, origin, rate limit (one unit), identity token,
 * body, the visitor's turn, rate limit (the records of a batch), contract, room for one more write, subject. Only the
 * last looks anything up in a store, and only for visitors whom a public key names: whether they turned out to be
 * somebody.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  private readonly addresses: CallerAddresses;
  private readonly limiter: RateLimiter;
  private readonly limits: typeof DEFAULT_RATE_LIMITS;
  private readonly ownOrigins: ReadonlySet<string>;
  private readonly called = new WeakMap<object, OperationDeclaration>();
  /** Addresses are counted under a hash, never as they are. */
  private readonly salt: string;
  private readonly turns = new Turns();
  private readonly noted = new LRUCache<string, true>({ max: 1000, ttl: 60_000 });

  constructor(
    private readonly directory: KeyDirectory,
    private readonly identities: IdentityTokens,
    @Inject(ACCESS_RULES) private readonly rules: AccessRules,
    private readonly uses: KeyUse,
  ) {
    this.limiter = rules.limiter ?? new MemoryRateLimiter();
    this.salt = rules.addressSalt ?? randomBytes(16).toString('hex');
    this.addresses = new CallerAddresses(trustedProxies(rules.trustedProxies ?? []), this.salt);
    this.ownOrigins = rules.ownOrigins ?? new Set();
    this.limits = { ...DEFAULT_RATE_LIMITS, ...rules.limits };
  }

  /** Answers at once where nothing has to be waited for, as with most reads. */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const [request, response] = context.getArgs<[Call, Response]>();
    const operation = this.calledBy(context.getHandler());
    // Default deny: as long as nobody said who may call it, it is not there.
    if (!operation) throw refused('route_not_found');
    request.operation = operation.id;
    // Pages and probes answer whatever they are; every other operation speaks JSON only.
    const { accept } = request.headers;
    if (accept !== undefined && accept !== '*/*' && !operation.keys.includes('none'))
      requireAcceptable(accept, offeredBy(operation));
    const address = this.addresses.of(request);
    return proceed(this.identify(operation, request, response, address), (identified) =>
      this.allow(operation, request, response, address, identified),
    );
  }

  private allow(
    operation: OperationDeclaration,
    request: Call,
    response: Response,
    address: CallerAddress,
    identified: Identified,
  ): boolean | Promise<boolean> {
    const { known, account, operator } = identified;
    if (account) request.work = account;
    if (operation.bodyLimit !== undefined)
      return this.allowAfterReading(operation, request, response, address, identified);
    return proceed(this.turnOf(identified, response), () => {
      const presented = known?.key.type === 'pk' ? request.headers['consent-identity'] : undefined;
      if (presented !== undefined || operation.byLink || operation.perAddress)
        return this.allowAfterReading(operation, request, response, address, identified);
      request.caller = callerOf(operation, known, request, address.text, null, operator);
      return this.reach(operation, request, response, known, null);
    });
  }

  /** A visitor has a few requests worked on at once; all other callers have what the service can do. */
  private turnOf({ known, account }: Identified, response: Response): void | Promise<void> {
    if (known?.key.type !== 'pk' || !account) return;
    const { bucket, policy } = account;
    return this.turns.take(bucket, Math.max(TURNS_AT_ONCE, Math.floor(policy.perSecond / UNITS_PER_TURN)), response);
  }

  /** What a call brings besides its key is read first: who vouches for its subject, and its body. */
  private async allowAfterReading(
    operation: OperationDeclaration,
    request: Call,
    response: Response,
    address: CallerAddress,
    identified: Identified,
  ): Promise<boolean> {
    const { known, operator } = identified;
    if (operation.perAddress) await this.limit(response, countedBy(operation.id, address), operation.perAddress);
    const presented = known?.key.type === 'pk' ? request.headers['consent-identity'] : undefined;
    // One that is bad is refused wherever it is sent, so that it is noticed at the first call and not at the first person.
    const identity = presented === undefined ? null : await this.identities.verify(presented as string, known!);
    // A secret key that only signs is in use too.
    if (identity) this.uses.note(identity.keyId);
    request.caller = callerOf(operation, known, request, address.text, identity, operator);
    if (operation.bodyLimit !== undefined)
      request.input = await this.readInput(operation, request, response, identified);
    if (operation.byLink) await this.limit(response, this.countedLink(request), LINK_LIMIT);
    return this.reach(operation, request, response, known, identity);
  }

  /** Whether there is room for one more write, and the caller reaches the subjects that the call names. */
  private reach(
    operation: OperationDeclaration,
    request: Call,
    response: Response,
    known: KnownKey | null,
    identity: VouchedIdentity | null,
  ): boolean | Promise<boolean> {
    if (known && operation.method !== 'GET') this.requireRoom(response);
    const registered = (): boolean => {
      if (known) refuseUnregisteredKind(operation, request, request.caller!);
      return true;
    };
    if (known?.key.type !== 'pk' || hasCapability(operation, request)) return registered();
    const free = authoriseSubjects(operation, request, identity);
    if (free.length === 0 || known.site.settings.linkedVisitors === 'OPEN') return registered();
    return proceed(refuseLinked(free, operation, request.caller!, this.rules.visitors, identity), registered);
  }

  /** The operation that a handler was declared to be; reading that from its metadata is slower than all that follows from it. */
  private calledBy(handler: object): OperationDeclaration | undefined {
    let operation = this.called.get(handler);
    // Stryker disable next-line ConditionalExpression: a cache that is never hit costs time only
    if (operation === undefined) {
      operation = this.rules.operations.of(Reflect.getMetadata(OPERATION, handler) as string | undefined);
      // Stryker disable next-line ConditionalExpression: as above; undefined can be kept as well as looked for again
      if (operation) this.called.set(handler, operation);
    }
    return operation;
  }

  /** The key that is calling, null for the operator and for nobody. Everything that can be refused by headers is. */
  private identify(
    operation: OperationAccess,
    request: Call,
    response: Response,
    address: CallerAddress,
  ): Identified | Promise<Identified> {
    if (operation.keys.includes('none') || isCapabilityAlone(operation, request)) {
      if (!operation.limited) return NOBODY;
      const limited = this.limit(response, countedBy('', address), this.limits.unauthenticated);
      return proceed(limited, (account) => ({ ...NOBODY, account }));
    }
    const { origin, authorization } = request.headers;
    // So that a page can read why it was refused; its key's own list decides below.
    if (operation.cors) {
      varyByCaller(response, operation.subject !== null);
      if (origin !== undefined && this.directory.listsOrigin(origin)) allowOrigin(response, origin);
    }
    const presented = bearer(authorization);
    if (operation.keys.includes('operator')) return this.identifyOperator(presented, request, response, address);
    const known = this.directory.isReady ? authenticate(presented, this.directory, systemClock) : null;
    if (known && !('refused' in known)) return this.admitted(operation, known, request, response, address);
    return this.identifyLate(presented, operation, request, response, address);
  }

  /**
   * Refuses before any engine is asked. Not before the body is there: who sends it slowly, or has no key, must take no
   * place away from others.
   */
  private requireRoom(response: Response): void {
    const { writeLimit } = this.rules;
    if (!writeLimit) return;
    const leave = writeLimit.enter();
    if (leave === null) {
      const { limit, refused: refusedSoFar } = writeLimit;
      this.noteOnce('overload', { limit, refusedSoFar }, 'more is sent to be written than can be answered in time');
      throw refused('dependency_unavailable', OVERLOADED, [], { 'Retry-After': String(writeLimit.againAfter()) });
    }
    response.once('close', () => leave(response.statusCode === 503));
  }

  private async identifyOperator(
    presented: string | null,
    request: Call,
    response: Response,
    address: CallerAddress,
  ): Promise<Identified> {
    const operator = presented === null ? null : await this.rules.isOperator(presented);
    if (operator !== null) return this.siteOf(request, operator);
    return this.unauthenticated(
      response,
      address,
      presented === null ? 'api_key_missing' : 'api_key_invalid',
      credentialsHint(request.headers.authorization, 'operator'),
    );
  }

  /** Of a key that is not known: perhaps it is not known yet. */
  private async identifyLate(
    presented: string | null,
    operation: OperationAccess,
    request: Call,
    response: Response,
    address: CallerAddress,
  ): Promise<Identified> {
    if (!this.directory.isReady) await this.directory.ready(READY_WITHIN_MS);
    let known = authenticate(presented, this.directory, systemClock);
    if ('refused' in known && (await this.mayBeNew(presented)))
      known = authenticate(presented, this.directory, systemClock);
    if (!('refused' in known)) return this.admitted(operation, known, request, response, address);
    const hint = credentialsHint(request.headers.authorization, 'key');
    return this.unauthenticated(response, address, known.refused, hint);
  }

  /** Lets a key in whose secret was right, and charges it. */
  private admitted(
    operation: OperationAccess,
    known: KnownKey,
    request: Call,
    response: Response,
    address: CallerAddress,
  ): Identified | Promise<Identified> {
    const { key, site } = known;
    this.uses.note(key.keyId);
    if (key.type === 'sk') forbidOrigin(response);
    this.admit(operation, known, request, response);
    const limited = this.limit(
      response,
      key.type === 'sk' ? key.keyId : countedBy(key.keyId, address),
      site.settings.rateLimits[key.type] ?? this.limits[key.type],
      key.type === 'pk' ? new PartTime() : undefined,
    );
    return proceed(limited, (account) => ({ known, account, operator: null }));
  }

  /** True where another instance may have issued the key a moment ago, and the log was looked at for it. */
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
    if (site !== undefined && !this.directory.site(site)) throw new Refused(unknownSite(site, this.directory));
    return { ...NOBODY, operator };
  }

  private async unauthenticated(
    response: Response,
    address: CallerAddress,
    code: 'api_key_missing' | 'api_key_invalid' | 'api_key_expired',
    hint: string | undefined,
  ): Promise<never> {
    await this.limit(response, countedBy('', address), this.limits.unauthenticated);
    throw refused(code, hint);
  }

  /** What a valid key may still not do here. */
  private admit(operation: OperationAccess, { key, site }: KnownKey, { headers }: Call, response: Response): void {
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
    if (originsOf(site, key).includes(origin)) return;
    forbidOrigin(response);
    this.noteOrigin(origin, { key, site });
    throw refused('origin_not_allowed', originHint(origin, { key, site }));
  }

  private noteOrigin(origin: string, known: KnownKey): void {
    const { key, site } = known;
    this.noteOnce(
      `${key.keyId} ${origin}`,
      {
        site: site.site,
        env: key.env,
        key: key.keyId,
        origin: origin.slice(0, ORIGIN_SHOWN_MAX),
        fix: originHint(origin, known),
      },
      'a page of an origin that is not allowed used a public key',
    );
  }

  /** Says it to the operator, who can mend it; once a minute, so that nobody floods the log. */
  private noteOnce(name: string, details: object, message: string): void {
    if (this.noted.has(name)) return;
    // Stryker disable next-line BooleanLiteral: only that it is there counts
    this.noted.set(name, true);
    this.rules.log?.warn(details, message);
  }

  /** Charges the one unit that every request costs, before anything is done for it. */
  private limit(
    response: Response,
    bucket: string,
    policy: RateLimitPolicy,
    partTime?: PartTime,
  ): WorkAccount | Promise<WorkAccount> {
    const account = new WorkAccount(this.limiter, bucket, policy, response, partTime);
    // In memory it is charged at once, and nothing is waited for.
    const charging = account.charge(1);
    return charging ? charging.then(() => account) : account;
  }

  private countedLink({ input, query }: Call): string {
    const token = (input as { token?: unknown } | undefined)?.token ?? query['token'];
    return `link.${hash('sha256', this.salt + (typeof token === 'string' ? token : ''), 'base64url')}`;
  }

  /**
   * No body reaches a handler that was not held against a contract. A large body is paid for before anything looks into
   * it, and the records of a batch before they are validated: a flood of what will be refused costs as much. A visitor
   * has a turn only when it is there: who sends slowly takes none away from others behind the same address.
   */
  private async readInput(
    operation: OperationDeclaration,
    request: Call,
    response: Response,
    identified: Identified,
  ): Promise<unknown> {
    const { known, account } = identified;
    const rules = {
      limitBytes: operation.bodyLimit!,
      ...(operation.tooLarge && { tooLarge: operation.tooLarge }),
      ...(account && {
        arrived: (bytes: number) =>
          proceed(this.turnOf(identified, response), () => account.charge(Math.ceil(bytes / BODY_BYTES_PER_UNIT))),
      }),
    };
    const { contract, optional } = operation.body!;
    const read = operation.byLink && isForm(request) ? readFormBody : optional ? readOptionalJsonBody : readJsonBody;
    const input = await read(request, rules);
    if (input === undefined) return undefined;
    const oversized = operation.oversized?.(input);
    if (oversized) throw refused(operation.tooLarge ?? 'body_too_large', oversized);
    if (account && operation.subject?.in === 'batch') await account.charge(lengthOf(input, operation.subject.list));
    // Compiled when it is first called: all of them together were a tenth of the processor time of a start.
    const issues = compile(contract)(input);
    if (issues.length > 0) throw invalid(issues);
    const asserted = (known?.key.type === 'pk' && operation.privileged?.(input as never)) || [];
    if (asserted.length > 0)
      throw refused(
        'secret_key_required',
        'A public key may not assert this; send it from your server with a secret key.',
        asserted.slice(0, MOST_ISSUES),
      );
    return input;
  }
}

/** Refusals name this many places at most. */
const MOST_ISSUES = 20;

const offeredBy = ({ alsoAnswers = [] }: OperationAccess): string[] => [
  'application/json',
  'application/problem+json',
  ...alsoAnswers,
];

const countedBy = (keyId: string, address: CallerAddress): string => `${keyId}.${address.counted}`;

/** Express reads the query each time it is asked for it, which took 1 µs: only where an operation knows capabilities. */
const hasCapability = ({ byCapability }: OperationAccess, request: Pick<Call, 'query'>): boolean =>
  byCapability !== undefined && request.query[byCapability] !== undefined;

/** Whoever shows credentials too is held against them: a key that does not count is noticed. */
const isCapabilityAlone = (operation: OperationAccess, request: Call): boolean =>
  hasCapability(operation, request) && request.headers.authorization === undefined;

/** An operator, and whoever asks where nobody is limited. */
const NOBODY: Identified = { known: null, account: null, operator: null };

/** Items of a list in a body that nothing has been held against yet. */
function lengthOf(input: unknown, list: string): number {
  const items: unknown = typeof input === 'object' && input !== null ? (input as Record<string, unknown>)[list] : null;
  return Array.isArray(items) ? items.length : 0;
}
