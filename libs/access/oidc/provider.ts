import { createHash } from 'node:crypto';
import * as client from 'openid-client';
import { ProviderUnavailable, SignInNotProven } from './faults.js';

/** How long one call to the provider may take, in s, and how large its answer may be, in bytes. */
const PATIENCE_S = 5;
const ANSWER_BYTES_MAX = 1024 * 1024;

export interface ProviderSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
}

/** What a browser must bring back from the provider. Kept sealed in a cookie until then. */
export interface Attempt {
  state: string;
  nonce: string;
  verifier: string;
}

/** A person as the provider knows them. */
export interface SignedInPerson {
  /** `opr_` and a digest of issuer and subject: the same at every sign-in, and no name. */
  id: string;
  name: string | null;
  claims: Readonly<Record<string, unknown>>;
}

/**
 * An OpenID Connect provider: code flow with PKCE, state and nonce. The only file that knows openid-client. It asks the
 * provider anew at each sign-in, which is rare, so that keys that were rotated are never old.
 *
 * The provider is named by the settings and often stands in the operator's own network. The judged connections of
 * libs/engines/outbound are for hosts that callers name, and would refuse it.
 */
export class OidcProvider {
  constructor(
    private readonly settings: ProviderSettings,
    private readonly redirectUri: string,
  ) {}

  /** Where the browser signs in. Throws ProviderUnavailable. */
  async begin(): Promise<{ url: string; attempt: Attempt }> {
    const configuration = await this.discovered();
    const attempt = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
    };
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: this.redirectUri,
      scope: 'openid profile email',
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(attempt.verifier),
      code_challenge_method: 'S256',
    });
    return { url: url.href, attempt };
  }

  /** @param query of the address to which the provider sent the browser. Throws ProviderUnavailable, SignInNotProven. */
  async finish(query: string, { state, nonce, verifier }: Attempt): Promise<SignedInPerson> {
    const configuration = await this.discovered();
    const current = new URL(this.redirectUri);
    current.search = query;
    try {
      const tokens = await client.authorizationCodeGrant(configuration, current, {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      });
      const claims = tokens.claims()!;
      const digest = createHash('sha256').update(`${claims.iss}\n${claims.sub}`).digest('base64url');
      const name = [claims['name'], claims['preferred_username']].find(
        (each) => typeof each === 'string' && each !== '',
      );
      return { id: `opr_${digest.slice(0, 24)}`, name: name === undefined ? null : String(name).slice(0, 200), claims };
    } catch (error) {
      throw isOutage(error)
        ? new ProviderUnavailable('the provider does not answer', { cause: error })
        : new SignInNotProven('the answer of the provider proves nothing', { cause: error });
    }
  }

  private async discovered(): Promise<client.Configuration> {
    const { issuer, clientId, clientSecret } = this.settings;
    const url = new URL(issuer);
    try {
      return await client.discovery(url, clientId, clientSecret, undefined, {
        timeout: PATIENCE_S,
        [client.customFetch]: bounded,
        execute: [
          // Signatures of ID tokens are checked too, not the connection alone.
          client.enableNonRepudiationChecks,
          // The settings take plain http on this machine only.
          ...(url.protocol === 'http:' ? [client.allowInsecureRequests] : []),
        ],
      });
    } catch (error) {
      throw new ProviderUnavailable('the provider does not answer', { cause: error });
    }
  }
}

/** Follows no redirect, and reads no more than a bounded answer. */
const bounded: client.CustomFetch = async (url, options) => {
  const response = await fetch(url, { ...(options as RequestInit), redirect: 'manual' });
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += (chunk as Uint8Array).length;
    if (bytes > ANSWER_BYTES_MAX) throw new ProviderUnavailable('the answer of the provider is too large');
    chunks.push(chunk as Uint8Array);
  }
  const { status, statusText, headers } = response;
  const isEmpty = [204, 205, 304].includes(status);
  return new Response(isEmpty ? null : Buffer.concat(chunks), { status, statusText, headers });
};

/** Whether no answer came, or one that says the fault is with the provider. */
function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof ProviderUnavailable || error.name === 'TimeoutError' || error.name === 'AbortError') return true;
  if (error instanceof TypeError && error.message === 'fetch failed') return true;
  return error.cause === undefined || error.cause === error ? false : isOutage(error.cause);
}
