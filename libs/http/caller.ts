import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { OperatorRole } from '../kernel/scope.js';
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

/** The claims of an identity token that was checked. */
export interface Identity {
  reference: Reference;
  /** The secret key that signed it. */
  keyId: string;
  issuedAt: Instant;
  /** What it allows; `*`: all that a public key can do. */
  scopes: readonly string[];
}

/** The caller of a request, as the access guard has verified it. */
export interface Caller extends ByKinds {
  /** Public key, secret key, operator token, or none of them. */
  kind: 'pk' | 'sk' | 'operator' | 'none';
  /** Id of the operation that is called. */
  operation: string;
  /** `key_` and twelve characters, of an operator the `opt_…` of the token; null where there is neither. */
  keyId: string | null;
  /** Empty where the operation belongs to no site. */
  site: string;
  env: Environment;
  scopes: readonly string[];
  /** Of an operator; absent of all others. */
  roles?: readonly OperatorRole[];
  /** `ses_…` of an operator who is signed in; absent where a token or a key was sent. */
  session?: string;
  /** The `Origin` header, where a browser sent one. */
  origin: string | null;
  /** Truncated to /24 or /48 by the guard; null where the site keeps none. */
  ip: string | null;
  /** Family and major version only, such as `Firefox 146`. */
  userAgent: string | null;
  /** The subject that an identity token vouches for; always null with a secret key, which may name any subject. */
  identity: Identity | null;
  requestId: string;
}

/** Proof of a write that an identity token vouched for; null where no token vouches for exactly this subject. */
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

/** Evidence from the request itself, minimised; kept with the events that it wrote. */
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
  /** The subject that the request names outside of lists, as the access guard read it. */
  reference?: Reference;
}

const requestOf = (context: ExecutionContext): CalledRequest => context.switchToHttp().getRequest<CalledRequest>();

/** Injects the caller. Throws in a handler without a guard, so that it never gets an anonymous caller by mistake. */
export const CallerOf = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { caller } = requestOf(context);
  if (!caller) throw new Error('no access guard has seen this request');
  return caller;
});

/** Injects the Work that this request is charged to. */
export const WorkOf = createParamDecorator(
  (_: unknown, context: ExecutionContext): Work => requestOf(context).work ?? UNCHARGED,
);

/** Injects the validated body. */
export const Input = createParamDecorator((_: unknown, context: ExecutionContext): unknown => requestOf(context).input);
