/** The page that has a problem. */
export interface Troubled {
  origin: string;
  /** The public key that it names. */
  key: string;
}

/** What the builder of a page can do about a problem; null: what the service itself advises. */
export function adviceOn(code: string, { origin, key }: Troubled): string | null {
  if (code === 'origin_not_allowed')
    return `Allow this page: assent sites origins add ${origin} --site <site> --env ${key.startsWith('pk_live_') ? 'live' : 'test'}`;
  if (code.startsWith('api_key_'))
    return 'Put a public key of the site into data-key: assent keys list --site <site> names them.';
  if (code === 'no_connection' || code === 'timed_out')
    return 'Look whether data-base-url leads to the service, and whether a blocker or the connect-src of the page holds requests back.';
  return code === 'page_failed' ? 'Look into the console: the error stands there with its place.' : null;
}
