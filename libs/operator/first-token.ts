import { OperatorTokens } from '../access/index.js';
import { masterKeyOf, withEngines } from './engines.js';
import type { Release, Settings } from './release.js';
import { readConfig } from '../platform/config/config.js';
import { MasterKey } from '../platform/vault/master-key.js';

/** The operator's token of the first start, which follows from the master key; null where it was rotated or revoked since. */
export async function firstToken(release: Release, env: Settings): Promise<string | null> {
  const token = new MasterKey(masterKeyOf(readConfig(env))).operatorToken();
  return withEngines(release, env, async ({ log }) =>
    (await new OperatorTokens(log, token).verify(token)) === null ? null : token,
  );
}
