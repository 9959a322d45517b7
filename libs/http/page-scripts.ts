import { readFileSync } from 'node:fs';
import { inRelease } from '../engines/release-folder.js';

/**
 * A script of pages of the service, one file with the client library in it: `npm run build` makes it of modules
 * (`bundle.mjs` names them). Throws where it is missing: the release is not whole then. Read it when the process starts, so
 * that a process goes on with its own also when another release is built in its place.
 */
export const pageScript = (name: 'banner' | 'receipt'): string =>
  readFileSync(inRelease('dist', 'apps', 'pages', `${name}.js`), 'utf8');
