import { readFileSync } from 'node:fs';

const text = readFileSync(new URL('v8.env', import.meta.url), 'utf8');

/** The options of `v8.env`, which says who else reads them. */
export const V8_OPTIONS = /^V8_OPTIONS="(.*)"$/m.exec(text)[1].split(' ');
