import { readFileSync } from 'node:fs';
import { NoProviderList, providersOf } from './provider-file.js';
import type { ProviderList } from './providers.js';
import { SYNTHETIC_PROVIDERS } from './synthetic-providers.js';
import { StartRefused } from '../../engines/start-refused.js';

/** Google's list of providers, which an operator puts in place; null: the synthetic one. Throws StartRefused. */
export function openProviders(path: string | null): ProviderList {
  if (path === null) return SYNTHETIC_PROVIDERS;
  try {
    return providersOf(readFileSync(path, 'utf8'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = error instanceof NoProviderList ? error.message : code;
    if (why === undefined) throw error;
    throw new StartRefused(
      `GOOGLE_ATP_PATH names no list of providers (${why}): fetch additional-consent-providers.csv of Google anew, or remove the setting.`,
      { cause: error },
    );
  }
}
