import { nearest, refusal, SITE_PATTERN, type Refusal } from '../../kernel/index.js';
import type { KeyDirectory } from './key-directory.js';

/** Refusal for a path with an unregistered site: names the likely site, and how to register one. */
export function unknownSite(site: string, directory: KeyDirectory): Refusal {
  const isName = SITE_PATTERN.test(site);
  const near = nearest(
    site,
    directory.sites().flatMap((known) => known.site ?? []),
  );
  return refusal(
    'route_not_found',
    isName ? `There is no site ${site}.` : 'There is no such site.',
    [
      ...(near === null ? [] : [`Did you mean ${near}?`]),
      'List the sites with: assent sites list.',
      ...(isName ? [`Register this one with: assent sites register ${site} --name <name>.`] : []),
    ].join(' '),
  );
}
