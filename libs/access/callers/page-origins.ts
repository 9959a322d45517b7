import { systemClock } from '../../kernel/index.js';
import type { AccessRules } from '../access-rules.js';
import { unlistedHint } from './explain.js';
import type { KeyDirectory, KnownKey } from '../sites/key-directory.js';
import { NotedOnce } from './noted-once.js';
import { isLocalOrigin } from './origin.js';
import { originsOf } from '../state.js';

/** Characters of an origin in the log. */
export const ORIGIN_SHOWN_MAX = 300;

/** Knows which pages may call with public keys, and notes for the operator which others tried. */
export class PageOrigins {
  private readonly noted: NotedOnce;
  private readonly localPages: boolean;

  constructor(
    private readonly directory: KeyDirectory,
    { localPages = false, log }: Pick<AccessRules, 'localPages' | 'log'>,
  ) {
    this.localPages = localPages;
    this.noted = new NotedOnce(log);
  }

  /** Whether this origin may use some live public key. */
  isListed(origin: string): boolean {
    return this.directory.listsOrigin(origin) || (this.localPages && isLocalOrigin(origin));
  }

  mayUse({ key, site }: KnownKey, origin: string): boolean {
    const isLocalPage = this.localPages && key.env === 'test' && key.allowedOrigins === null && isLocalOrigin(origin);
    return isLocalPage || originsOf(site, key).includes(origin);
  }

  /** Notes in the log how to allow an origin. The page itself cannot read a refused preflight. */
  notePreflight(origin: string): void {
    const fix = unlistedHint(origin, this.directory.sites(), systemClock());
    if (fix === null) return;
    const details = { origin: origin.slice(0, ORIGIN_SHOWN_MAX), fix };
    this.noted.warn(origin, details, 'a page of an origin that no site allows wants to call');
  }
}
