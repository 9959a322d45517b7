import { readFileSync } from 'node:fs';
import { inRelease } from '../engines/release-folder.js';

/** Of this release. */
export const { version: VERSION } = JSON.parse(readFileSync(inRelease('package.json'), 'utf8')) as { version: string };
