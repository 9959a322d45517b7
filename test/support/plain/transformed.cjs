// Where the JavaScript of a TypeScript file is kept, and the map that leads back to it: by its content, for all who run it.
const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { fileURLToPath } = require('node:url');
const { version } = require('@swc/core');

const ROOT = join(__dirname, '../../..');
const FOLDER = join(ROOT, 'node_modules/.cache/assent-tests');
const OPTIONS = readFileSync(join(ROOT, '.swcrc'), 'utf8');

/** Without an ending. */
function placeOf(filename, source) {
  const name = createHash('sha256').update(`${version}\0${OPTIONS}\0${filename}\0${source}`).digest('hex').slice(0, 40);
  return join(FOLDER, name);
}

/** The file with the map of a module, by its URL; undefined where it is none that was transformed. */
function mapOf(url) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return undefined;
  const filename = fileURLToPath(url);
  return `${placeOf(filename, readFileSync(filename, 'utf8'))}.map`;
}

module.exports = { mapOf, placeOf };
