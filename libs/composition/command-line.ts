import { runCommandLine } from '../operator/index.js';
import { VERSION } from './version.js';

/** The `assent` command of this release. Answers its exit code. */
export const runAssent = (
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  streams: Parameters<typeof runCommandLine>[2],
): Promise<number> =>
  runCommandLine(args, env, streams, { version: VERSION, release: async () => (await import('./release.js')).RELEASE });
