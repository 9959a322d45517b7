import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { ByKinds } from './registered-kind.js';
import {
  isRefusal,
  parseReference,
  referenceText,
  UNCHARGED,
  type Environment,
  type Instant,
  type Reference,
  type Work,
} from '../kernel/index.js';

/** What a checked identity token says. */
export interface Identity {
  reference: Reference;
  /** The secret key that signed it. */
  keyId: string;
  issuedAt: Instant;
  /** What it allows; `*` for whatever a public key can. */
  scopes: readonly string[];
}

/** Who is calling, as the access guard found out. Nothing here is what the caller merely says. */
export interface Caller extends ByKinds {
  /** Public key, secret key, operator token, or nobody in particular. */
  kind: 'pk' | 'sk' | 'operator' | 'none';
  /** Id of the operation that is called. */
  operation: string;
  /** `key_` and twelve characters, of an operator the `opt_…` of the token; null where there is neither. */
  keyId: string | null;
  /** Empty where the operation belongs to no site. */
  site: string;
  env: Environment;
  scopes: readonly string[];
  /** The `Origin` header, where a browser sent one. */
  origin: string | null;
  /** Truncated to /24 or /48 before anything else sees it; null where the site keeps none. */
  ip: string | null;
  /** Family and major version only, such as `Firefox 146`. */
  userAgent: string | null;
  /** Whom an identity token vouches for; always null with a secret key, which reaches everybody. */
  identity: Identity | null;
  requestId: string;
}

/** What is kept as proof of a write that an identity token vouched for; null where none vouches for exactly this subject. */
function vouchedBy({ identity }: Caller, subject: string): Pick<Identity, 'keyId' | 'issuedAt'> | null {
  const reference = identity === null ? null : parseReference(subject);
  if (
    identity === null ||
    reference === null ||
    isRefusal(reference) ||
    referenceText(identity.reference) !== referenceText(reference)
  )
    return null;
  return { keyId: identity.keyId, issuedAt: identity.issuedAt };
}

/** What a request itself shows, minimised: kept as evidence with what it wrote. */
export interface ShownByRequest {
  keyId: string;
  origin?: string;
  /** /24 or /48. */
  ip?: string;
  /** Family and major version: `Firefox 140`. */
  userAgent?: string;
  /** The identity token that vouched for the subject, by the secret key that signed it and when. */
  identity?: Pick<Identity, 'keyId' | 'issuedAt'>;
}

export function provenanceOf(caller: Caller, subject: string): ShownByRequest {
  const identity = vouchedBy(caller, subject);
  return {
    keyId: caller.keyId ?? caller.kind,
    ...(caller.origin !== null && { origin: caller.origin }),
    ...(caller.ip !== null && { ip: caller.ip }),
    ...(caller.userAgent !== null && { userAgent: caller.userAgent }),
    ...(identity !== null && { identity }),
  };
}

export interface CalledRequest {
  /** Set by the access guard. */
  caller?: Caller;
  /** Set by the access guard where the caller's limit is counted. */
  work?: Work;
  /** The body, validated against the contract of the operation. */
  input?: unknown;
  /** The subject that it names anywhere but in a list, as the access guard read it. */
  reference?: Reference;
}

const requestOf = (context: ExecutionContext): CalledRequest => context.switchToHttp().getRequest<CalledRequest>();

/** Injects who is calling. A handler that no guard stood before gets an error, not an anonymous caller. */
export const CallerOf = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { caller } = requestOf(context);
  if (!caller) throw new Error('no access guard has seen this request');
  return caller;
});

/** Injects what the work for this request is charged to. */
export const WorkOf = createParamDecorator(
  (_: unknown, context: ExecutionContext): Work => requestOf(context).work ?? UNCHARGED,
);

/** Injects the validated body. */
export const Input = createParamDecorator((_: unknown, context: ExecutionContext): unknown => requestOf(context).input);
