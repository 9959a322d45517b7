import type { BannerManifest } from '../../client/types.js';

/** How long a manifest is used without asking, and how long beyond that while a new one is on its way: as the service says. */
const FRESH_MS = 300_000;
const STALE_MS = 86_400_000;
/** No page waits longer for it. */
const TIMEOUT_MS = 2_000;

export interface ManifestSource {
  /** Where the service is, such as `https://consent.example`. */
  baseUrl: string;
  /** The public key of the site and environment. */
  key: string;
  /** How long a page waits for the first manifest, in milliseconds; default: two seconds. */
  timeoutMs?: number;
}

/**
 * Makes a function that answers the manifest from memory and renews it every five minutes, beside the answers. The first
 * call waits for the service, `timeoutMs` at most. Null where none came within a day: pages do without then.
 */
export function manifestSource({
  baseUrl,
  key,
  timeoutMs = TIMEOUT_MS,
}: ManifestSource): () => Promise<BannerManifest | null> {
  let kept: BannerManifest | null = null;
  let keptAt = 0;
  let asking: Promise<void> | null = null;

  async function ask(): Promise<void> {
    try {
      const answer = await fetch(`${baseUrl.replace(/\/+$/, '')}/v1/banner/manifest`, {
        headers: { Authorization: `Bearer ${key}` },
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (answer.ok) [kept, keptAt] = [(await answer.json()) as BannerManifest, Date.now()];
    } catch {
      // The old one goes on, as long as it may.
    } finally {
      asking = null;
    }
  }

  return async () => {
    const ageMs = Date.now() - keptAt;
    if (kept === null || ageMs > FRESH_MS) asking ??= ask();
    if (kept === null || ageMs > STALE_MS) await asking;
    return Date.now() - keptAt > STALE_MS ? null : kept;
  };
}
