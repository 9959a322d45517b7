import { OperatorTokens } from '../access/index.js';
import { withEngines } from './engines.js';
import type { Release, Settings } from './release.js';

/** The operator's token of the first start, derived from the master key; null where it was rotated or revoked since. */
export const firstToken = (release: Release, env: Settings): Promise<string | null> =>
  withEngines(release, env, async ({ log, master }) => {
    const token = master.operatorToken();
    return (await new OperatorTokens(log, token).verify(token)) === null ? null : token;
  });
