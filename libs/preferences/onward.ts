import type { KeyDirectory } from '../access/index.js';
import { openSealed, type Scope } from '../kernel/index.js';
import type { Vault } from '../vault/vault.js';
import { redirectUrl } from './redirect-url.js';
import type { ConfirmationRequest } from './topics.js';

/** Where a browser goes on to after a confirmation; null where that is forgotten, or the domain is the site's no longer. */
export async function onwardOf(
  { redirectUrl: stored }: ConfirmationRequest,
  scope: Scope,
  vault: Vault,
  directory: KeyDirectory,
): Promise<string | null> {
  const cipher = typeof stored === 'string' ? null : await vault.cipherOf(stored.of);
  const opened = cipher ? openSealed(stored, () => cipher) : stored;
  return typeof opened === 'string'
    ? redirectUrl(opened, directory.site(scope.site)?.settings.domains ?? [], scope.env)
    : null;
}
