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
import { KeyUse } from './sites/key-use.js';
import { NotedOnce } from './callers/noted-once.js';
import { MemoryRateLimiter } from './limits/rate-limit.js';
import { authoriseSubjects, refuseLinked, refuseUnregisteredKind } from './subject-access.js';
import type { VouchedIdentity } from './callers/vouched-identity.js';

/** Under a higher rate limit more requests of one visitor are worked on at once: one for so many units a second. */
const UNITS_PER_PLACE = 10;

/** How often one link can be used, from however many addresses. */
const LINK_LIMIT: RateLimitPolicy = { perSecond: 1, burst: 200 };

const OVERLOADED =
  'More is sent to be written than can be answered in time. Wait for the time in Retry-After and send the same request again.';

/**
 * The one entry. In this order: operation, CORS, key, key type, scope, origin, rate limit (one unit), identity token,
 * body, the cap of the visitor, rate limit (the records of a batch), contract, room for one more write, subject. Only the
 * last looks anything up in a store, and only for visitors whom a public key names: whether they turned out to be
 * somebody.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  private readonly addresses: CallerAddresses;
  private readonly accounts: Accounts;
  private readonly callers: Callers;
  private readonly called = new WeakMap<object, OperationDeclaration>();
  /** Addresses are counted under a hash, never as they are. */
  private readonly salt: string;
  private readonly cap = new CallerCap();
  private readonly noted: NotedOnce;

  constructor(
    directory: KeyDirectory,
    private readonly identities: IdentityTokens,
    @Inject(ACCESS_RULES) private readonly rules: AccessRules,
    private readonly uses: KeyUse,
  ) {
    this.salt = rules.addressSalt ?? randomBytes(16).toString('hex');
    this.addresses = new CallerAddresses(trustedProxies(rules.trustedProxies ?? []), this.salt);
    this.accounts = new Accounts(rules.limiter ?? new MemoryRateLimiter());
    this.noted = new NotedOnce(rules.log);
    this.callers = new Callers(rules, directory, uses, this.accounts, this.noted);
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
    const arrival = { operation, request, response, address: this.addresses.of(request) };
    return proceed(this.callers.identify(arrival), (identified) => this.allow(arrival, identified));
  }

  private allow(arrival: Arrival, identified: Identified): boolean | Promise<boolean> {
    const { operation, request, response, address } = arrival;
    const { known, account, operator } = identified;
    if (account) request.work = account;
    if (operation.bodyLimit !== undefined) return this.allowAfterReading(arrival, identified);
    return proceed(this.roomFor(identified, response), () => {
      if (identityIn(request, known) !== undefined || operation.byLink || operation.perAddress)
        return this.allowAfterReading(arrival, identified);
      request.caller = callerOf(operation, known, request, address.text, null, operator);
      return this.reach(arrival, known, null);
    });
  }

  /** A visitor has a few requests worked on at once; all other callers have what the service can do. */
  private roomFor({ known, account }: Identified, response: Response): void | Promise<void> {
    if (known?.key.type !== 'pk' || !account) return;
    const { bucket, policy } = account;
    return this.cap.enter(bucket, Math.max(AT_ONCE, Math.floor(policy.perSecond / UNITS_PER_PLACE)), response);
  }

  /** What a call brings besides its key is read first: who vouches for its subject, and its body. */
  private async allowAfterReading(arrival: Arrival, identified: Identified): Promise<boolean> {
    const { operation, request, response, address } = arrival;
    const { known, operator } = identified;
    if (operation.perAddress)
      await this.accounts.open(response, countedBy(operation.id, address), operation.perAddress);
    const presented = identityIn(request, known);
    // One that is bad is refused wherever it is sent, so that it is noticed at the first call and not at the first person.
    const identity = presented === undefined ? null : await this.identities.verify(presented, known!);
    // A secret key that only signs is in use too.
    if (identity) this.uses.note(identity.keyId);
    request.caller = callerOf(operation, known, request, address.text, identity, operator);
    if (operation.bodyLimit !== undefined)
      request.input = await readInput(arrival, identified, () => this.roomFor(identified, response));
    if (operation.byLink) await this.accounts.open(response, this.countedLink(request), LINK_LIMIT);
    return this.reach(arrival, known, identity);
  }

  /** Whether there is room for one more write, and the caller reaches the subjects that the call names. */
  private reach(
    { operation, request, response }: Arrival,
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

/** The token by which a site vouches for its visitor; only public keys come from visitors. */
const identityIn = ({ headers }: Call, known: KnownKey | null): string | undefined =>
  known?.key.type === 'pk' ? (headers['consent-identity'] as string | undefined) : undefined;

const offeredBy = ({ alsoAnswers = [] }: OperationAccess): string[] => [
  'application/json',
  'application/problem+json',
  ...alsoAnswers,
];
