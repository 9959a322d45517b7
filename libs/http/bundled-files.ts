import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inRelease } from '../engines/release-folder.js';

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  map: 'application/json; charset=utf-8',
};
/** What an address may name: it is looked up among what was read, and never on the disk. */
const NAME = /^[\w-]+\.(css|js|js\.map|json)$/;

/** A file that the build made for browsers. */
export interface BundledFile {
  type: string;
  content: string;
}

/** Files that the build made for browsers, in a folder of its own. */
export type BundleName = 'console' | 'elements';

/**
 * The files of a bundle, by name. Read once when the process starts, so that a process goes on with its own also when
 * another release is built in its place. Throws where one of the `needed` is missing: the release is not whole then.
 */
export function readBundle(bundle: BundleName, needed: readonly string[]): ReadonlyMap<string, BundledFile> {
  const folder = folderOf(bundle);
  const files = new Map<string, BundledFile>();
  for (const name of readdirSync(folder).filter((each) => NAME.test(each)))
    files.set(name, {
      type: TYPES[name.slice(name.lastIndexOf('.') + 1)]!,
      content: readFileSync(join(folder, name), 'utf8'),
    });
  const missing = needed.filter((name) => !files.has(name));
  if (missing.length > 0) throw new Error(`${folder} lacks ${missing.join(' and ')}`);
  return files;
}

/** What the build wrote about a bundle: names of its files by what they are. */
export const bundleManifest = (bundle: BundleName): Readonly<Record<string, string>> =>
  JSON.parse(readFileSync(join(folderOf(bundle), 'manifest.json'), 'utf8')) as Record<string, string>;

const folderOf = (bundle: BundleName): string => inRelease('dist', 'apps', bundle);
