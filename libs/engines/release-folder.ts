import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * A file or folder of this release, by its path below the folder that holds package.json. Looked for upwards, because this
 * code runs from its source in tests, from dist/libs in tools, and from dist/apps in the service.
 */
export function inRelease(...path: readonly string[]): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return join(folder, ...path);
}
