// What dist/apps/service.js begins with: it loads service.cjs, the program of all services, together with what V8 compiled
// of it at the build. A start takes a quarter less processor that way.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { constants, Script } from 'node:vm';

const FILE = fileURLToPath(new URL('service.cjs', import.meta.url));
/** The digest of the program that it was compiled from, then what V8 needs. V8 does not note the kind of processor. */
const CODE = fileURLToPath(new URL(`service.${process.arch}.code`, import.meta.url));
const DIGEST_LENGTH = 64;

/** The build notes the digest of the program in its last line. A piece of the text itself would keep all of it in memory. */
const digestOf = (program) => Buffer.from(program.slice(-DIGEST_LENGTH)).toString();

/** V8 itself sees whether this is of its version and options, but of the program it compares the length only. */
function codeOf(program) {
  if (!existsSync(CODE)) return undefined;
  const code = readFileSync(CODE);
  return code.toString('latin1', 0, DIGEST_LENGTH) === digestOf(program) ? code.subarray(DIGEST_LENGTH) : undefined;
}

function load() {
  const require = createRequire(FILE);
  // Node reads maps of sources only for what it loads by itself.
  if (process.sourceMapsEnabled) return { exports: require(FILE) };
  const program = readFileSync(FILE, 'utf8');
  // On one line, so that lines of stacks are those of the file.
  const script = new Script(`(function (exports, require, module, __filename, __dirname) { ${program}\n})`, {
    filename: FILE,
    cachedData: codeOf(program),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, require, module, FILE, dirname(FILE));
  return { exports: module.exports, script, digest: digestOf(program) };
}

const loaded = load();

/** Whether the start was spared what the build had compiled. */
export const isPrecompiled = loaded.script?.cachedDataRejected === false;

/** For the build: keeps what V8 has compiled until now. Only processes with the same options of V8 can use it. */
export const writeCode = () =>
  writeFileSync(CODE, Buffer.concat([Buffer.from(loaded.digest, 'latin1'), loaded.script.createCachedData()]));
