import type { Release } from '../release.js';
import type { Progress } from './progress.js';
import type { KeyOptions, Server } from './server.js';
import type { Show } from './show.js';

/** What every command uses. */
export interface Surroundings {
  show: Show;
  /** The service, by the options of this call. Only the probes answer without the operator's token. */
  server: (needs?: { token: boolean }) => Promise<Server>;
  /** The same for the owner of a secret key: what it answers is of the site and environment of the key. */
  siteServer: (key: KeyOptions) => Promise<Server>;
  /** For the commands that work on the engines themselves. */
  env: NodeJS.ProcessEnv;
  /** Loaded when it is needed: it brings the whole service with it, half a second. */
  release: () => Promise<Release>;
  /** Progress of long work. */
  progress: (what: string) => Progress;
}
