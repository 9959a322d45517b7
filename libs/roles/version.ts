import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The package.json above this file, wherever it was built to. */
function packageFile(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return join(folder, 'package.json');
}

/** Of this release. */
export const { version: VERSION } = JSON.parse(readFileSync(packageFile(), 'utf8')) as { version: string };
