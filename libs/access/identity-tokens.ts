import { systemClock, type Clock, type Instant, type Reference } from '../kernel/index.js';
import { refused } from '../platform/http/refused.js';
import { readIdentityToken, verifyIdentityToken } from './identity-token.js';
import type { KeyDirectory, KnownKey } from './key-directory.js';
import { grants, type GrantedScope } from '../context/scopes.js';
import { identityKeyPurpose, type Sealer } from './sealer.js';
import { isExpired } from './state.js';

/** Whom a caller with a public key was vouched for, and by which secret key. */
export interface VouchedIdentity {
  reference: Reference;
  keyId: string;
  issuedAt: Instant;
  /** What the token allows and its secret key may do itself: who signs hands on no more than they have. */
  scopes: readonly GrantedScope[];
}

/**
 * Checks identity tokens with the MAC keys that stand sealed beside their secret keys.
 *
 * Opened keys are not kept: opening one costs some 5 µs, and what is kept nowhere cannot outlive a revocation.
 */
export class IdentityTokens {
  constructor(
    private readonly directory: KeyDirectory,
    private readonly sealer: Sealer,
    private readonly clock: Clock = systemClock,
  ) {}

  /** Rejects with `identity_token_invalid` or `identity_token_expired`. */
  async verify(presented: string, { key: { env }, site: { site } }: KnownKey): Promise<VouchedIdentity> {
    const token = readIdentityToken(presented);
    const signer = token && (await this.signer(token.keyId));
    const at = this.clock();
    if (
      !token ||
      !signer ||
      signer.site.site !== site ||
      signer.key.env !== env ||
      isExpired(signer.key, at) ||
      signer.key.sealedIdentityKey === null
    )
      throw refused('identity_token_invalid');
    const macKey = await this.sealer.open(identityKeyPurpose(token.keyId), signer.key.sealedIdentityKey);
    const verified = verifyIdentityToken(token, macKey, { site: site!, env }, at);
    if (verified.outcome === 'invalid') throw refused('identity_token_invalid', undefined, verified.issues);
    if (verified.outcome === 'expired') throw refused('identity_token_expired');
    const { reference, keyId, issuedAt, scopes } = verified;
    const own = signer.key.scopes;
    return { reference, keyId, issuedAt, scopes: scopes?.filter((scope) => grants('sk', own, scope)) ?? own };
  }

  /** Another instance may have issued the key a moment ago. */
  private async signer(keyId: string): Promise<KnownKey | undefined> {
    return (
      this.directory.find(keyId) ?? ((await this.directory.lookForKey(keyId)) ? this.directory.find(keyId) : undefined)
    );
  }
}
