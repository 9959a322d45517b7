import type { KeyDirectory } from '../../access/index.js';
import type { Provenance } from '../../consent/index.js';
import type { Caller } from '../../http/caller.js';

/** Who wrote what came by a link, in the metadata of events. */
export const BY_LINK = 'link';

/** What a request shows that came by a link, as far as the site of the link keeps it. */
export function provenanceOfLink({ ip, userAgent }: Caller, site: string, directory: KeyDirectory): Provenance {
  const evidence = directory.site(site)?.settings.evidence;
  return {
    keyId: BY_LINK,
    ...(evidence?.ip === 'TRUNCATED' && ip !== null && { ip }),
    ...(evidence?.userAgent && userAgent !== null && { userAgent }),
  };
}
