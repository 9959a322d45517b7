import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const LIST = 'export const CONTEXTS: readonly Context[] = [\n';

export interface MoreSource {
  /** Paths below the root, with what stands in each. */
  files: readonly (readonly [path: string, content: string])[];
  /** The line that imports the context of these files into `libs/composition/contexts.ts`, and its line in the list there. */
  contextImport: string;
  contextEntry: string;
}

/** The program of all services as it was before the build; a process that reads it meanwhile reads this file. */
export const SERVICE_BEFORE = 'dist/service-before.js';

/** Makes of a folder a release with one context more than this one, compiled on top of what is built already. */
export async function buildScratchRelease(
  folder: string,
  { files, contextImport, contextEntry }: MoreSource,
): Promise<void> {
  const scripts = ['bundle.mjs', 'bundle-console.mjs', 'bundle-elements.mjs', 'tsconfig.base.json'];
  for (const name of ['apps', 'docs', 'libs', 'dist', 'package.json', ...scripts])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  movePackages(join(folder, 'dist'));
  linkSync(join(folder, 'dist/apps/service.js'), join(folder, SERVICE_BEFORE));
  for (const [path, content] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  const contexts = join(folder, 'libs/composition/contexts.ts');
  const before = readFileSync(contexts, 'utf8');
  if (!before.includes(LIST)) throw new Error(`${contexts} does not hold the list of contexts as it used to`);
  writeFileSync(contexts, `${contextImport}\n${before.replace(LIST, `${LIST}${contextEntry}\n`)}`);
  for (const step of [['node_modules/typescript/bin/tsc', '-p', 'tsconfig.base.json'], ['bundle.mjs']])
    await promisify(execFile)(process.execPath, step, { cwd: folder }).catch(
      ({ stdout, stderr }: { stdout: string; stderr: string }) => {
        throw new Error(`the source with the additional files cannot be built:\n${stdout}${stderr}`);
      },
    );
}

/**
 * The compiler remembers in `dist/.tsbuildinfo` what it has checked, by paths from there. It takes packages by their real
 * paths, which the link leads to: where the record names others, it checks everything again, which takes three times as
 * long as the additional files.
 */
function movePackages(dist: string): void {
  const record = join(dist, '.tsbuildinfo');
  if (!existsSync(record)) return;
  const packages = relative(realpathSync(dist), realpathSync(join(ROOT, 'node_modules')));
  writeFileSync(record, readFileSync(record, 'utf8').replaceAll('"../node_modules/', `"${packages}/`));
}
