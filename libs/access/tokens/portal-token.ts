import {
  epochMs,
  instantOf,
  isId,
  type Environment,
  type Instant,
  type Issue,
  type Reference,
} from '../../kernel/index.js';
import { canHold, isScope, SCOPES, type AccessScope } from '../../context/scopes.js';

/*
 * Portal tokens: a JWT (RFC 7519) with EdDSA, signed with the key of its environment, by which a site's server lets one
 * person act for themselves for some minutes. Its own `typ` separates it from receipts and other statements that the same
 * key signs.
 */

export const PORTAL_TOKEN_TYPE = 'consent-portal+jwt';
const AUDIENCE = 'consent-portal';
/** Characters. The claims are bounded, so every token of ours is shorter. */
export const PORTAL_TOKEN_LENGTH_MAX = 8192;
export const PORTAL_TOKEN_SECONDS = { min: 30, default: 900, max: 3600 } as const;
/** Tolerated difference between two clocks. */
const LEEWAY_S = 60;

/** What a portal token can allow: all that a public key can do about a person. */
export const PORTAL_SCOPES = (Object.keys(SCOPES) as AccessScope[]).filter(
  (scope) => scope !== 'catalogue:read' && canHold('pk', scope),
);

/** The content of a portal token. */
export interface PortalGrant {
  site: string;
  env: Environment;
  subjectId: string;
  scopes: readonly AccessScope[];
  /** Id of the secret key that requested it: the token ends with the key. */
  keyId: string;
  /** Unique. The hosted portal accepts each token once by it. */
  tokenId: string;
  issuedAt: Instant;
  expiresAt: Instant;
  /** Where the portal's way back leads; null: the portal has none. */
  redirectUrl: string | null;
  /** BCP 47; null: the language of the browser. */
  locale: string | null;
}

export type PortalOutcome =
  ({ outcome: 'verified' } & PortalGrant) | { outcome: 'expired' } | { outcome: 'invalid'; issues: Issue[] };

/** The claims of a token, for the signer. Times are whole seconds, rounded down. */
export const portalClaims = ({ site, env, subjectId, scopes, keyId, tokenId, ...grant }: PortalGrant): object => ({
  iss: site,
  aud: AUDIENCE,
  sub: subjectId,
  env,
  scope: scopes,
  azp: keyId,
  jti: tokenId,
  iat: seconds(grant.issuedAt),
  exp: seconds(grant.expiresAt),
  ...(grant.redirectUrl !== null && { redirectUrl: grant.redirectUrl }),
  ...(grant.locale !== null && { locale: grant.locale }),
});

/**
 * What a verified statement allows at a site and environment. The caller has checked the signature: `issues` reveal
 * nothing to others.
 */
export function readPortalClaims(
  content: unknown,
  expected: { site: string; env: Environment },
  at: Instant,
): PortalOutcome {
  const { iss, aud, env, sub, iat, exp, jti, azp, scope, redirectUrl, locale } = (content ?? {}) as Record<
    string,
    unknown
  >;
  const now = epochMs(at) / 1000;
  const issues: Issue[] = [];
  const pin = (name: string, holds: boolean, message: string): void =>
    void (holds || issues.push({ path: `Consent-Identity.${name}`, message }));
  pin('iss', iss === expected.site, 'must be the site that is asked');
  pin('aud', aud === AUDIENCE, `must be "${AUDIENCE}"`);
  pin('env', env === expected.env, 'must be the environment that is asked');
  pin('sub', typeof sub === 'string' && isId('sub', sub), 'must be the id of a subject');
  pin('iat', isSeconds(iat) && iat <= now + LEEWAY_S, 'must be a time in whole seconds, not in the future');
  pin(
    'exp',
    isSeconds(exp) && isSeconds(iat) && exp > iat && exp - iat <= PORTAL_TOKEN_SECONDS.max,
    'must be a time in whole seconds, at most an hour after iat',
  );
  pin('jti', typeof jti === 'string', 'must be text');
  pin('azp', typeof azp === 'string', 'must be the id of a secret key');
  pin('scope', Array.isArray(scope) && scope.every((one) => typeof one === 'string'), 'must be a list of scopes');
  if (issues.length > 0) return { outcome: 'invalid', issues };
  if ((exp as number) <= now) return { outcome: 'expired' };
  return {
    outcome: 'verified',
    ...expected,
    subjectId: sub as string,
    // Scopes that this release does not know allow nothing.
    scopes: (scope as string[]).filter(isScope),
    keyId: azp as string,
    tokenId: jti as string,
    issuedAt: instantOf((iat as number) * 1000),
    expiresAt: instantOf((exp as number) * 1000),
    redirectUrl: typeof redirectUrl === 'string' ? redirectUrl : null,
    locale: typeof locale === 'string' ? locale : null,
  };
}

/** The reference under which a call with a portal token reaches its person. */
export const portalReference = (subjectId: string): Reference => ({ kind: 'subject', value: subjectId });

const seconds = (at: Instant): number => Math.floor(epochMs(at) / 1000);
const isSeconds = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
