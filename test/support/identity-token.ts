import { createHmac, hkdfSync } from 'node:crypto';

export interface TokenRequest {
  secretKey: string;
  subject: string;
  /** Default: the demo site. */
  site?: string;
  /** Instead of, or beside, what is right; undefined leaves a member out. */
  header?: Record<string, unknown>;
  claims?: Record<string, unknown>;
}

export const segment = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

export const macKeyOf = (secretKey: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secretKey, '', 'consent-identity-token/v1', 32));

export const macOf = (signed: string, macKey: Uint8Array): string =>
  createHmac('sha256', macKey).update(signed).digest('base64url');

/** An identity token as a site's own server would sign it, written down from the interface and not from the service. */
export function signIdentityToken({
  secretKey,
  subject,
  site = 'demo',
  header = {},
  claims = {},
}: TokenRequest): string {
  const [, env] = secretKey.split('_') as [string, string];
  const now = Math.floor(Date.now() / 1000);
  const head = segment({ alg: 'HS256', typ: 'consent-identity+jwt', kid: `key_${secretKey.slice(8, 20)}`, ...header });
  const signed = `${head}.${segment({ iss: site, aud: 'consent-api', sub: subject, env, iat: now, exp: now + 900, ...claims })}`;
  return `${signed}.${macOf(signed, macKeyOf(secretKey))}`;
}
