import type { FrameworkSettings } from '../../access/index.js';
import { refusal, type Environment, type Refusal } from '../../kernel/index.js';

/** The consent tool in whose name TC strings are made. */
export interface Cmp {
  id: number;
  version: number;
  /** Whether the site has named one; else it is the one that marks strings as made for a test. */
  isRegistered: boolean;
}

/** The highest id that there is room for, which IAB Europe has given to nobody: whoever reads it knows that it is a test. */
export const TEST_CMP: Cmp = { id: 4095, version: 1, isRegistered: false };

/** Somebody has to register first: asking again sooner is of no use. */
const NAMED_WITHIN_S = 3600;

/** In `live` only a registered tool may make strings (policies of TCF, chapter II). */
export function cmpOf({ tcf: { cmpId, cmpVersion } }: FrameworkSettings, env: Environment): Cmp | Refusal {
  if (cmpId !== null && cmpVersion !== null) return { id: cmpId, version: cmpVersion, isRegistered: true };
  return env === 'test'
    ? TEST_CMP
    : {
        ...refusal(
          'dependency_unavailable',
          'This site has named no consent tool that is registered with IAB Europe, so no TC strings are made in live.',
          'Register the tool with IAB Europe, and name its id and version: assent sites register <site> --tcf-cmp 300/4, or frameworks.tcf in POST /admin/v1/sites. In test strings carry an id that marks them.',
          [{ path: 'frameworks.tcf.cmpId', message: 'is not set for this site' }],
        ),
        retryAfterSeconds: NAMED_WITHIN_S,
      };
}
