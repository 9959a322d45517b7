import { hash, randomBytes } from 'node:crypto';
import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Response } from 'express';
import { proceed } from '../kernel/index.js';
import { requireAcceptable } from '../http/accept.js';
import { OPERATION } from '../http/contract/operation.js';
import { refused } from '../http/errors/refused.js';
import { AT_ONCE, CallerCap } from '../http/caller-cap.js';
import type { OperationAccess, OperationDeclaration } from '../context/operations.js';
import { ACCESS_RULES, type AccessRules } from './access-rules.js';
import { Accounts } from './account.js';
import { callerOf } from './callers/caller-of-request.js';
import { CallerAddresses } from './callers/caller-addresses.js';
import { Callers, countedBy, hasCapability, type Arrival, type Call, type Identified } from './callers/callers.js';
import { trustedProxies } from './callers/client-address.js';
import type { RateLimitPolicy } from './events.js';
import { IdentityTokens } from './tokens/identity-tokens.js';
import { readInput } from './input.js';
import { KeyDirectory, type KnownKey } from './sites/key-directory.js';
import { OperatorSessions } from './operators/operator-sessions.js';
import { KeyUse } from './sites/key-use.js';
import { NotedOnce } from './callers/noted-once.js';
import { MemoryRateLimiter } from './limits/rate-limit.js';
import { authoriseSubjects, refuseLinked, refuseUnregisteredKind } from './subject-access.js';
import type { VouchedIdentity } from './callers/vouched-identity.js';

/** A visitor's cap of requests under way rises with the rate limit: one place for so many units a second. */
const UNITS_PER_PLACE = 10;

/** How often one link can be used, from all addresses together. */
const LINK_LIMIT: RateLimitPolicy = { perSecond: 1, burst: 200 };

const OVERLOADED =
  'More is sent to be written than can be answered in time. Wait for the time in Retry-After and send the same request again.';

/**
 * The one entry. It checks in this order: operation, CORS, key, key type, scope or role, origin, rate limit (one unit),
 * identity token, body, the cap of the visitor, rate limit (the records of a batch), contract, room for one more write,
 * subject. Only the last check may ask a store, and only for visitors that a public key names: whether they were linked
 * to a person.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  private readonly addresses: CallerAddresses;
  private readonly accounts: Accounts;
  private readonly callers: Callers;
  private readonly called = new WeakMap<object, Called>();
  /** Part of the hash under which addresses are counted. */
  private readonly salt: string;
  private readonly cap = new CallerCap();
  private readonly noted: NotedOnce;

  constructor(
    directory: KeyDirectory,
    private readonly identities: IdentityTokens,
    @Inject(ACCESS_RULES) private readonly rules: AccessRules,
    private readonly uses: KeyUse,
    sessions: OperatorSessions,
  ) {
    this.salt = rules.addressSalt ?? randomBytes(16).toString('hex');
    this.addresses = new CallerAddresses(trustedProxies(rules.trustedProxies ?? []), this.salt);
    this.accounts = new Accounts(rules.limiter ?? new MemoryRateLimiter());
    this.noted = new NotedOnce(rules.log);
    this.callers = new Callers(rules, directory, uses, this.accounts, this.noted, sessions);
  }

  /** Answers without a promise where no step is asynchronous, as for most reads. */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const [request, response] = context.getArgs<[Call, Response]>();
    const operation = this.calledBy(context.getHandler(), request);
    // Default deny: an operation that declares no callers is not there.
    if (!operation) throw refused('route_not_found');
    request.operation = operation.id;
    // Pages and probes answer any `Accept`; every other operation speaks JSON only.
    const { accept } = request.headers;
    if (accept !== undefined && accept !== '*/*' && !operation.keys.includes('none'))
      requireAcceptable(accept, offeredBy(operation));
    const arrival = { operation, request, response, address: this.addresses.of(request) };
    return proceed(this.callers.identify(arrival), (identified) => this.allow(arrival, identified));
  }

  private allow(arrival: Arrival, identified: Identified): boolean | Promise<boolean> {
    const { operation, request, response, address } = arrival;
    const { known, account } = identified;
    if (account) request.work = account;
    if (identified.operator) this.uses.note(identified.operator.id);
    if (operation.bodyLimit !== undefined) return this.allowAfterReading(arrival, identified);
    return proceed(this.roomFor(identified, response), () => {
      if (identityIn(request, known) !== undefined || operation.byLink || operation.perAddress)
        return this.allowAfterReading(arrival, identified);
      request.caller = callerOf(operation, identified, request, address.text, null);
      return this.reach(arrival, identified, null);
    });
  }

  /** A visitor may have a few requests under way at once; all other callers share what the service can do. */
  private roomFor({ known, account }: Identified, response: Response): void | Promise<void> {
    if (known?.key.type !== 'pk' || !account) return;
    const { bucket, policy } = account;
    return this.cap.enter(bucket, Math.max(AT_ONCE, Math.floor(policy.perSecond / UNITS_PER_PLACE)), response);
  }

  /** For calls that bring a token or a body: reads both, then decides. */
  private async allowAfterReading(arrival: Arrival, identified: Identified): Promise<boolean> {
    const { operation, request, response, address } = arrival;
    const { known, operator } = identified;
    if (operation.perAddress)
      await this.accounts.open(response, countedBy(operation.id, address), operation.perAddress);
    const presented = identityIn(request, known);
    // A bad token is refused at every operation, so that a developer notices it at the first call and not at the first
    // person.
    const identity = presented === undefined ? null : await this.identities.verify(presented, known!);
    // A secret key that only signs tokens counts as used.
    if (identity) this.uses.note(identity.keyId);
    request.caller = callerOf(operation, identified, request, address.text, identity);
    if (operation.bodyLimit !== undefined)
      request.input = await readInput(arrival, identified, () => this.roomFor(identified, response));
    if (operator && operation.envBy) this.callers.requireRoleThere(arrival, operator);
    if (operation.byLink) await this.accounts.open(response, this.countedLink(request), LINK_LIMIT);
    return this.reach(arrival, identified, identity);
  }

  /** Checks that there is room for one more write, and that the caller reaches the subjects that the call names. */
  private reach(
    { operation, request, response }: Arrival,
    { known, site }: Identified,
    identity: VouchedIdentity | null,
  ): boolean | Promise<boolean> {
    if ((known ?? operation.twinOf) && operation.method !== 'GET') this.requireRoom(response);
    const registered = (): boolean => {
      if (site) refuseUnregisteredKind(operation, request, request.caller!);
      return true;
    };
    if (known?.key.type !== 'pk' || hasCapability(operation, request)) return registered();
    const free = authoriseSubjects(operation, request, identity);
    if (free.length === 0 || known.site.settings.linkedVisitors === 'OPEN') return registered();
    return proceed(refuseLinked(free, operation, request.caller!, this.rules.visitors, identity), registered);
  }

  /**
   * The operation that a handler declares; under a path that names a site, its twin for operators. Cached, because
   * reading the metadata takes longer than all later steps.
   */
  private calledBy(handler: object, { params }: Call): OperationDeclaration | undefined {
    let called = this.called.get(handler);
    // Stryker disable next-line ConditionalExpression: without the cache this is only slower
    if (called === undefined) {
      const { operations } = this.rules;
      const operation = operations.of(Reflect.getMetadata(OPERATION, handler) as string | undefined);
      if (!operation) return undefined;
      this.called.set(handler, (called = { operation, ofSite: operations.ofSite(operation) }));
    }
    return params?.['site'] === undefined ? called.operation : called.ofSite;
  }

  /**
   * Refuses before any engine is asked, but only when the body has arrived: a caller who sends it slowly, or has no
   * key, must not take a place from others.
   */
  private requireRoom(response: Response): void {
    const { writeLimit } = this.rules;
    if (!writeLimit) return;
    const leave = writeLimit.enter();
    if (leave === null) {
      const { limit, refused: refusedSoFar } = writeLimit;
      this.noted.warn('overload', { limit, refusedSoFar }, 'more is sent to be written than can be answered in time');
      throw refused('dependency_unavailable', OVERLOADED, [], { 'Retry-After': String(writeLimit.againAfter()) });
    }
    response.once('close', () => leave(response.statusCode === 503));
  }

  private countedLink({ input, query }: Call): string {
    const token = (input as { token?: unknown } | undefined)?.token ?? query['token'];
    return `link.${hash('sha256', this.salt + (typeof token === 'string' ? token : ''), 'base64url')}`;
  }
}

/** What a handler declares, and what it does for operators. */
interface Called {
  operation: OperationDeclaration;
  ofSite: OperationDeclaration | undefined;
}

/** The token by which a site vouches for its visitor. Only requests with public keys have one. */
const identityIn = ({ headers }: Call, known: KnownKey | null): string | undefined =>
  known?.key.type === 'pk' ? (headers['consent-identity'] as string | undefined) : undefined;

const offeredBy = ({ alsoAnswers = [] }: OperationAccess): string[] => [
  'application/json',
  'application/problem+json',
  ...alsoAnswers,
];
