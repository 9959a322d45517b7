import { systemClock, type Clock } from '../../kernel/index.js';
import { refused } from '../../http/errors/refused.js';
import { readIdentityToken, verifyIdentityToken } from './identity-token.js';
import type { KeyDirectory, KnownKey } from '../sites/key-directory.js';
import { vouchedByPortal, type PortalTokens } from './portal-tokens.js';
import { grants } from '../../context/scopes.js';
import { identityKeyPurpose, type Sealer } from './sealer.js';
import { isExpired } from '../state.js';
import type { VouchedIdentity } from '../callers/vouched-identity.js';

/**
 * Checks identity tokens with the MAC keys that stand sealed beside their secret keys.
 *
 * Opened keys are not cached: opening one takes some 5 µs, and a cache could outlive a revocation.
 */
export class IdentityTokens {
  constructor(
    private readonly directory: KeyDirectory,
    private readonly sealer: Sealer,
    /** Null: this process accepts no portal tokens. */
    private readonly portal: PortalTokens | null,
    private readonly clock: Clock = systemClock,
  ) {}

  /** Verifies an identity token or a portal token. Rejects with `identity_token_invalid` or `identity_token_expired`. */
  async verify(presented: string, { key: { env }, site: { site } }: KnownKey): Promise<VouchedIdentity> {
    const token = readIdentityToken(presented);
    const grant = token ? null : await this.portal?.verify(presented, { site: site!, env });
    if (grant) return vouchedByPortal(grant);
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

  /** The signing key; another process may have issued it a moment ago. */
  private async signer(keyId: string): Promise<KnownKey | undefined> {
    return (
      this.directory.find(keyId) ?? ((await this.directory.lookForKey(keyId)) ? this.directory.find(keyId) : undefined)
    );
  }
}
