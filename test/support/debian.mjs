// Installs what the tests need beside packages of npm. Plain JavaScript: it has to work before anything is built.
import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const PACKAGE_LISTS_WITHIN_MS = 120_000;
const INSTALLED_WITHIN_MS = 300_000;
/** Two specs may want different programs at once; the larger, a browser of some 200 MB with all it needs, takes a while. */
const LOCK_WITHIN_S = 240;

/** Where a program is; null where the machine has none. */
export function programAt(name) {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // The next folder may have it.
    }
  }
  return null;
}

/** Installs while the caller goes on: whoever blocks here for a minute finds connections that it had just begun closed. */
function apt(args, timeout) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const lock = ['-qq', '-o', `DPkg::Lock::Timeout=${LOCK_WITHIN_S}`];
  return new Promise((resolve) => {
    execFile('apt-get', [...lock, ...args], { env, timeout }, (error, _, stderr) =>
      resolve({ status: error ? (error.code ?? error.signal) : 0, stderr }),
    );
  });
}

/**
 * Makes sure that a program is there, which on Debian the packages bring, or one of the same name; installs them where that
 * is possible. Resolves to its path. Rejects with an Error whose message says what to do where it cannot.
 */
export async function ensure(name, ...packages) {
  if (packages.length === 0) packages.push(name);
  const found = programAt(name);
  if (found) return found;
  const missing = `The tests need ${name}, which is not in PATH.`;
  const debian = existsSync('/etc/debian_version') && programAt('apt-get') !== null;
  if (!debian) throw new Error(`${missing} Install it (${packages.join(', ')}) and start the tests again.`);
  if (process.getuid?.() !== 0)
    throw new Error(`${missing} Install it with: sudo apt-get install ${packages.join(' ')}`);
  console.error(`${name} is missing; installing ${packages.join(' ')}...`);
  await apt(['update'], PACKAGE_LISTS_WITHIN_MS);
  const { status, stderr } = await apt(['install', '--no-install-recommends', '-y', ...packages], INSTALLED_WITHIN_MS);
  const installed = programAt(name);
  if (!installed) throw new Error(`${missing} apt-get install ${packages.join(' ')} ended with ${status}:\n${stderr}`);
  return installed;
}
