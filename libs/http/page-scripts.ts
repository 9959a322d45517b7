import { readFileSync } from 'node:fs';
import { inRelease } from '../engines/release-folder.js';

/**
 * A script for pages of the service: one file with the client library in it, which `npm run build` makes (`bundle.mjs`
 * names its modules). Throws where it is missing, since the release is incomplete. Read it when the process starts, so
 * that the process keeps its own script when another release is built in its place.
 */
export const pageScript = (name: 'receipt'): string =>
  readFileSync(inRelease('dist', 'apps', 'pages', `${name}.js`), 'utf8');
