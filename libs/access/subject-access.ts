import {
  ANONYMOUS_FORMS,
  isAnonymous,
  isGuessable,
  isRefusal,
  parseReference,
  proceed,
  referenceText,
  Refused,
  type Issue,
  type Reference,
  type Refusal,
  type Scope,
} from '../kernel/index.js';
import { Misshapen } from '../http/contract/misshapen.js';
import { refused } from '../http/errors/refused.js';
import { unregisteredKind, type ByKinds } from '../http/registered-kind.js';
import type { VouchedIdentity } from './callers/vouched-identity.js';
import type { OperationAccess, SubjectPlace } from '../context/operations.js';
import { grants } from '../context/scopes.js';

/** The parts of a request that can name a subject. */
export interface SubjectRequest {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  input?: unknown;
  /** The parsed reference. */
  reference?: Reference;
}

/** A subject that a public key names by a random handle, without a token. */
export interface FreelyNamed {
  reference: Reference;
  /** Its place in a batch; null if the request has no other subject. */
  path: string | null;
}

/** Knows whether a visitor was linked to a person. */
export interface VisitorLinks {
  /** Whether the handle leads to a person: to a subject with an identifier that is not a random handle. */
  isLinked(scope: Scope, reference: Reference): boolean | Promise<boolean>;
}

/**
 * Decides which subjects a public key may reach: anonymous ones freely, others with an identity token that vouches for
 * them. It reads only the reference and looks nothing up, so neither body nor timing shows whether the subject exists.
 * Returns the subjects that were named freely.
 */
export function authoriseSubjects(
  { subject: place, scope }: OperationAccess,
  request: SubjectRequest,
  identity: VouchedIdentity | null,
): FreelyNamed[] {
  if (place === null) return [];
  const { leans, free } =
    place.in === 'batch'
      ? authoriseBatch(place.list, place.name, request.input, identity)
      : place.in === 'identity'
        ? authoriseVouched(identity)
        : authoriseOne(place, request, identity);
  if (leans) requireScope(scope, identity!);
  return free;
}

/** Refuses freely named visitors who were linked to a person: a public key reaches that person only with a token. */
export function refuseLinked(
  free: readonly FreelyNamed[],
  { scope }: OperationAccess,
  caller: Scope,
  links: VisitorLinks,
  identity: VouchedIdentity | null,
): void | Promise<void> {
  return proceed(linkedAmong(free, caller, links), (reached) => {
    if (reached.length === 0) return;
    const refused = reached.filter(({ reference }) => !isVouched(reference, identity));
    if (refused.length > 0)
      throw notVouched(
        identity,
        refused.flatMap(({ path }) => (path === null ? [] : [{ path, message: needs(identity) }])).slice(0, ISSUES_MAX),
      );
    requireScope(scope, identity!);
  });
}

function linkedAmong(
  free: readonly FreelyNamed[],
  caller: Scope,
  links: VisitorLinks,
): readonly FreelyNamed[] | Promise<readonly FreelyNamed[]> {
  const [only, ...others] = free;
  // Mostly there is one, and the answer needs no look-up.
  if (only && others.length === 0)
    return proceed(links.isLinked(caller, only.reference), (isLinked) => (isLinked ? free : []));
  return linkedOfMany(free, caller, links);
}

async function linkedOfMany(
  free: readonly FreelyNamed[],
  caller: Scope,
  links: VisitorLinks,
): Promise<readonly FreelyNamed[]> {
  const byName = new Map(free.map(({ reference }) => [referenceText(reference), reference]));
  const linked = new Set<string>();
  await Promise.all(
    Array.from(byName, async ([name, reference]) => (await links.isLinked(caller, reference)) && linked.add(name)),
  );
  return free.filter(({ reference }) => linked.has(referenceText(reference)));
}

/** A caller who needs the identity token gets only the token's scopes. */
function requireScope(scope: OperationAccess['scope'], identity: VouchedIdentity): void {
  if (scope !== null && !grants('pk', identity.scopes, scope))
    throw refused(
      'scope_missing',
      `Sign the identity token with the scope ${scope}, or without any, by a secret key that has it.`,
    );
}

/** `leans`: the call is only admitted because of the identity token. */
interface Admitted {
  leans: boolean;
  free: FreelyNamed[];
}

/** Refuses a custom kind that the site has not registered. The handler of a list refuses its items one by one. */
export function refuseUnregisteredKind(
  { subject: place }: OperationAccess,
  request: SubjectRequest,
  by: ByKinds,
): void {
  if (place === null || place.in === 'batch' || place.in === 'identity') return;
  const reference = referenceIn(place, request);
  const refused = reference === null || isRefusal(reference) ? null : unregisteredKind(reference.kind, by);
  if (refused)
    throw new Refused({ ...refused, issues: [{ path: place.name, message: 'is of a kind that is not registered' }] });
}

/** A place in a request that names a subject. */
type NamingPlace = Exclude<SubjectPlace, { in: 'batch' | 'identity' }>;

const namedIn = (place: NamingPlace, request: SubjectRequest): unknown =>
  place.in === 'path'
    ? request.params[place.name]
    : place.in === 'query'
      ? request.query[place.name]
      : (request.input as Record<string, unknown>)[place.name];

/** The parsed reference, cached in the request; null if there is no text at the place. */
function referenceIn(place: NamingPlace, request: SubjectRequest): Reference | Refusal | null {
  if (request.reference) return request.reference;
  const named = namedIn(place, request);
  const reference = typeof named === 'string' ? parseReference(named) : null;
  if (reference !== null && !isRefusal(reference)) request.reference = reference;
  return reference;
}

/** The handler finds out whether the requested thing belongs to the vouched person. */
function authoriseVouched(identity: VouchedIdentity | null): Admitted {
  if (identity === null) throw notVouched(null);
  return { leans: true, free: [] };
}

function authoriseOne(place: NamingPlace, request: SubjectRequest, identity: VouchedIdentity | null): Admitted {
  // The handler refuses a query without a subject; a query with two is refused below.
  if (place.in === 'query' && namedIn(place, request) === undefined) return { leans: false, free: [] };
  const reference = referenceIn(place, request);
  if (reference === null) throw refused('subject_ref_invalid');
  if (isRefusal(reference)) throw new Refused(reference satisfies Refusal);
  // An open place names anonymous subjects without a look-up, so their links are not looked up either.
  if (isAnonymous(reference)) return { leans: false, free: place.open ? [] : [{ reference, path: null }] };
  if (isVouched(reference, identity)) return { leans: true, free: [] };
  if (place.open && identity === null) return { leans: false, free: [] };
  throw notVouched(identity, [], isGuessable(reference));
}

/** Admits a malformed record, or one with an unreadable reference: it reaches no subject, and the batch reports it. */
function authoriseBatch(list: string, name: string, input: unknown, identity: VouchedIdentity | null): Admitted {
  const issues: Issue[] = [];
  const free: FreelyNamed[] = [];
  let leans = false;
  for (const [i, item] of ((input as Record<string, unknown>)[list] as Record<string, unknown>[]).entries()) {
    if (item instanceof Misshapen) continue;
    const reference = parseReference(String(item[name]));
    if (isRefusal(reference)) continue;
    if (isAnonymous(reference)) free.push({ reference, path: `${list}[${i}].${name}` });
    else if (isVouched(reference, identity)) leans = true;
    else
      issues.push({
        path: `${list}[${i}].${name}`,
        message: isGuessable(reference) ? `can be guessed; send ${ANONYMOUS_FORMS}` : needs(identity),
      });
    if (issues.length === ISSUES_MAX) break;
  }
  if (issues.length > 0) throw notVouched(identity, issues);
  return { leans, free };
}

const ISSUES_MAX = 20;

const needs = (identity: VouchedIdentity | null): string =>
  identity === null ? 'needs an identity token' : 'is not the subject of the identity token';

const isVouched = (reference: Reference, identity: VouchedIdentity | null): boolean =>
  identity !== null && referenceText(identity.reference) === referenceText(reference);

/** Depends on the reference alone, so it does not show whether the subject exists. */
const notVouched = (identity: VouchedIdentity | null, issues: Issue[] = [], guessable = false): Refused =>
  refused(
    identity === null ? 'identity_token_required' : 'identity_token_subject_mismatch',
    guessable
      ? `This id can be guessed. For an anonymous subject send a random one: ${ANONYMOUS_FORMS}; crypto.randomUUID() makes one. For a person send an identity token of that person.`
      : undefined,
    issues,
  );
