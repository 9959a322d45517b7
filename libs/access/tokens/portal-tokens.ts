import { systemClock, type Clock, type Environment } from '../../kernel/index.js';
import { refused } from '../../http/errors/refused.js';
import { grants } from '../../context/scopes.js';
import type { VouchedIdentity } from '../callers/vouched-identity.js';
import type { KeyDirectory } from '../sites/key-directory.js';
import {
  PORTAL_TOKEN_LENGTH_MAX,
  PORTAL_TOKEN_TYPE,
  portalReference,
  readPortalClaims,
  type PortalGrant,
} from './portal-token.js';
import { isExpired } from '../state.js';

/** Verifies statements with the keys that this service signs with. */
export interface StatementReader {
  /**
   * Null if the service did not sign the text as a statement of this type, or signed it with a key that no longer
   * counts.
   */
  readStatement(type: string, text: string): Promise<{ env: Environment; content: unknown } | null>;
}

/** Checks portal tokens: signature, claims, and that the secret key that requested the token still counts. */
export class PortalTokens {
  constructor(
    private readonly directory: KeyDirectory,
    private readonly statements: StatementReader,
    private readonly clock: Clock = systemClock,
  ) {}

  /**
   * What a token allows at a site and environment, limited to the scopes of the secret key behind it. Rejects with
   * `identity_token_invalid` or `identity_token_expired`; null if the text is no portal token of this service.
   */
  async verify(presented: string, expected: { site: string; env: Environment }): Promise<PortalGrant | null> {
    if (presented.length > PORTAL_TOKEN_LENGTH_MAX) return null;
    const signed = await this.statements.readStatement(PORTAL_TOKEN_TYPE, presented);
    if (!signed) return null;
    const at = this.clock();
    const read = readPortalClaims(signed.content, expected, at);
    if (read.outcome === 'invalid') throw refused('identity_token_invalid', undefined, read.issues);
    // The key of one environment does not count in the other, whatever the claims say.
    if (signed.env !== expected.env) throw refused('identity_token_invalid');
    if (read.outcome === 'expired') throw refused('identity_token_expired');
    const { outcome: _, ...grant } = read;
    const scopes = await this.handedOn(grant);
    if (scopes === null) throw refused('identity_token_invalid');
    return { ...grant, scopes };
  }

  /** The part of a grant that still counts: null if its secret key was revoked, expired, or is of another site. */
  async handedOn({
    keyId,
    site,
    env,
    scopes,
  }: Pick<PortalGrant, 'keyId' | 'site' | 'env' | 'scopes'>): Promise<PortalGrant['scopes'] | null> {
    // The roles of an operator decided when the token was issued, for an hour at most.
    if (/^op[rt]_/.test(keyId)) return scopes;
    const known =
      this.directory.find(keyId) ?? ((await this.directory.lookForKey(keyId)) ? this.directory.find(keyId) : undefined);
    if (!known || known.key.type !== 'sk' || known.site.site !== site || known.key.env !== env) return null;
    if (isExpired(known.key, this.clock())) return null;
    return scopes.filter((scope) => grants('sk', known.key.scopes, scope));
  }
}

/** A portal token in the form of an identity token: person, key and scopes. */
export const vouchedByPortal = ({ subjectId, keyId, issuedAt, scopes }: PortalGrant): VouchedIdentity => ({
  reference: portalReference(subjectId),
  keyId,
  issuedAt,
  scopes,
});
