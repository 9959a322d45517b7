import type { Config } from '../../engines/config/config.js';
import { StartRefused } from '../../engines/start-refused.js';
import type { OidcProvider } from './provider.js';
import { RoleFile, RoleFileFault } from './role-file.js';

export const OIDC_CALLBACK = '/admin/v1/session/oidc/callback';

/** How operators sign in in a browser. */
export interface OperatorSignIn {
  /** FIRST: with the token of the first start alone, so that there is a way in while the provider is away. */
  tokens: 'ANY' | 'FIRST';
  /** Null: not by OpenID Connect. */
  oidc: { provider: OidcProvider; roles: RoleFile } | null;
}

/** By the settings. Throws StartRefused where the file of roles cannot be used. */
export async function openOperatorSignIn(
  { operatorSignIn, oidc, publicUrl }: Pick<Config, 'operatorSignIn' | 'oidc' | 'publicUrl'>,
  log: { warn(details: object, message: string): void },
): Promise<OperatorSignIn> {
  if (oidc === null || operatorSignIn === 'token') return { tokens: 'ANY', oidc: null };
  try {
    const roles = new RoleFile(oidc.rolesPath, log);
    // Loaded only where it is used.
    const { OidcProvider } = await import('./provider.js');
    const provider = new OidcProvider(oidc, publicUrl + OIDC_CALLBACK);
    return { tokens: operatorSignIn === 'oidc' ? 'FIRST' : 'ANY', oidc: { provider, roles } };
  } catch (error) {
    throw error instanceof RoleFileFault ? new StartRefused(error.message) : error;
  }
}
