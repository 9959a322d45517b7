import { isAnonymous, isRefusal, parseReference, referenceText, Refused, type Issue, type Reference, type Refusal } from '../kernel/index.js';
import { refused } from '../platform/http/refused.js';
import type { SubjectPlace } from './operations.js';

/** Where a request can name a subject. */
export interface SubjectRequest {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  input?: unknown;
}

/**
 * Which subjects a public key may reach: anonymous ones freely, and whom an identity token vouches for. Decided from
 * the reference alone, before anything is looked up: whether the subject exists cannot show in body or time.
 *
 * `vouched` is the one place where identity tokens come in.
 */
export function authoriseSubjects(place: SubjectPlace, request: SubjectRequest, vouched: Reference | null): void {
  if (place.in === 'batch') return authoriseBatch(place.list, place.name, request.input, vouched);
  const named = place.in === 'path' ? request.params[place.name] : place.in === 'query' ? request.query[place.name] : (request.input as Record<string, unknown>)[place.name];
  // A query that names nobody is the handler's to refuse; one that names two is nobody's.
  if (named === undefined && place.in === 'query') return;
  const reference = typeof named === 'string' ? parseReference(named) : null;
  if (reference === null) throw refused('subject_ref_invalid');
  if (isRefusal(reference)) throw new Refused(reference satisfies Refusal);
  if (!mayReach(reference, vouched)) throw identityRequired();
}

/** A record whose reference cannot be read reaches nobody: the batch reports it by itself. */
function authoriseBatch(list: string, name: string, input: unknown, vouched: Reference | null): void {
  const issues: Issue[] = [];
  for (const [i, item] of ((input as Record<string, unknown>)[list] as Record<string, unknown>[]).entries()) {
    const reference = parseReference(String(item[name]));
    if (isRefusal(reference) || mayReach(reference, vouched)) continue;
    issues.push({ path: `${list}[${i}].${name}`, message: 'needs an identity token' });
    if (issues.length === ISSUES_MAX) break;
  }
  if (issues.length > 0) throw identityRequired(issues);
}

const ISSUES_MAX = 20;

const mayReach = (reference: Reference, vouched: Reference | null): boolean =>
  isAnonymous(reference) || (vouched !== null && referenceText(vouched) === referenceText(reference));

const identityRequired = (issues: Issue[] = []): Refused => refused('identity_token_required', undefined, issues);
