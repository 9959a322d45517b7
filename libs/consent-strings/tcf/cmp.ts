import { cmpNamed, type Cmp, type FrameworkSettings } from '../../access/index.js';
import { refusal, type Environment, type Refusal } from '../../kernel/index.js';

/** `Retry-After`: an operator has to register the consent tool first, so a caller need not ask sooner. */
const NAMED_WITHIN_S = 3600;

/** The consent tool of a site, or why no string can be made without one. */
export function cmpOf(settings: FrameworkSettings, env: Environment): Cmp | Refusal {
  return (
    cmpNamed(settings, env) ?? {
      ...refusal(
        'dependency_unavailable',
        'This site has named no consent tool that is registered with IAB Europe, so no TC strings are made in live.',
        'Register the tool with IAB Europe, and name its id and version: assent sites register <site> --tcf-cmp 300/4, or frameworks.tcf in POST /admin/v1/sites. In test strings carry an id that marks them.',
        [{ path: 'frameworks.tcf.cmpId', message: 'is not set for this site' }],
      ),
      retryAfterSeconds: NAMED_WITHIN_S,
    }
  );
}
