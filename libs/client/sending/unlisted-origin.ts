import { AssentError, PermissionError } from '../errors.js';
import { attempt } from './exchange.js';
import { foreignTo } from '../page.js';

/** How long the probe waits that distinguishes an absent service from a refused origin, in ms. */
const PROBE_MS = 3000;

/**
 * Why a page cannot read the answers of a service: its origin is not allowed. A browser does not say so, so this asks
 * for the key set, which pages of every origin may read. Null if the service does not answer, or has the origin of the
 * page.
 */
export async function unlistedOrigin(
  base: string,
  { apiKey, fetch = globalThis.fetch }: { apiKey: string; fetch?: typeof globalThis.fetch },
): Promise<AssentError | null> {
  const origin = foreignTo(base);
  if (origin === null) return null;
  // Not with `no-cors`: the error page of a proxy whose service is away would look the same.
  const keySet = await attempt({ url: `${base}/.well-known/jwks.json`, init: {}, fetch }, PROBE_MS);
  if (keySet instanceof AssentError) return null;
  return new PermissionError(
    {
      code: 'origin_not_allowed',
      message: `The service answers, but not to pages of ${origin}.`,
      hint:
        origin === 'null'
          ? 'The page has no origin (a file or a sandboxed frame): serve it from an address of its own.'
          : `Allow them: assent sites origins add ${origin} --site <site> --env ${apiKey.split('_')[1]}. The log of the service names the site. If they are allowed already, an extension of the browser holds the call back.`,
    },
    0,
  );
}
