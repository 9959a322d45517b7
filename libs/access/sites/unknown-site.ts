import { nearest, refusal, SITE_PATTERN, type Refusal } from '../../kernel/index.js';
import type { KeyDirectory } from './key-directory.js';

/** The site of a path is not registered: what was most likely meant, and how one comes to be there. */
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
