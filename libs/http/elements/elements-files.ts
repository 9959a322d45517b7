import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inRelease } from '../../engines/release-folder.js';

/** The name by which pages include the script, and the one that says which release of it is served. */
export const SCRIPT = 'assent.js';
export const MANIFEST = 'manifest.json';

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  map: 'application/json; charset=utf-8',
};
/** What an address may name: it is looked up among what was read, and never on the disk. */
const NAME = /^[\w-]+\.(css|js|js\.map|json)$/;

export interface ElementsFile {
  type: string;
  content: string;
  /** Its name changes with its content. */
  isForEver: boolean;
}

/**
 * The files of `/elements/v1`, by name, as `bundle-elements.mjs` made them. Read once when the process starts, so that a
 * process goes on with its own also when another release is built in its place. Throws where the script is missing: the
 * release is not whole then.
 */
export function readElementsFiles(folder = inRelease('dist', 'apps', 'elements')): ReadonlyMap<string, ElementsFile> {
  const files = new Map<string, ElementsFile>();
  for (const name of readdirSync(folder).filter((each) => NAME.test(each)))
    files.set(name, {
      type: TYPES[name.slice(name.lastIndexOf('.') + 1)]!,
      content: readFileSync(join(folder, name), 'utf8'),
      isForEver: ![SCRIPT, `${SCRIPT}.map`, MANIFEST].includes(name),
    });
  if (!files.has(SCRIPT) || !files.has(MANIFEST)) throw new Error(`${folder} lacks ${SCRIPT} or ${MANIFEST}`);
  return files;
}

let styleFile: string | undefined;

/** Name of the banner's style sheet in this release. Read once. */
export const bannerStyleFile = (): string =>
  (styleFile ??= (
    JSON.parse(readFileSync(join(inRelease('dist', 'apps', 'elements'), MANIFEST), 'utf8')) as { style: string }
  ).style);
