// Installs what the tests need beside packages of npm. Plain JavaScript: it has to work before anything is built.
import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** How long it may take, that what other specs want is installed before it included: a browser brings some 200 MB. */
const INSTALLED_WITHIN_S = 400;
/** One after the other: while `apt-get update` of another process runs, this one could neither wait for it nor find a package. */
const ONE_AT_A_TIME = join(tmpdir(), 'assent-tests-apt.lock');
const INSTALL = `
command -v "$1" > /dev/null && exit
shift
wait='DPkg::Lock::Timeout=240'
apt-get -qq -o "$wait" update
exec apt-get -qq -o "$wait" install --no-install-recommends -y "$@"`;

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
function install(name, packages) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const args = ['--timeout', String(INSTALLED_WITHIN_S), ONE_AT_A_TIME, 'sh', '-c', INSTALL, 'sh', name, ...packages];
  return new Promise((resolve) => {
    execFile('flock', args, { env, timeout: 2 * INSTALLED_WITHIN_S * 1000 }, (error, _, stderr) =>
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
  const { status, stderr } = await install(name, packages);
  const installed = programAt(name);
  if (!installed) throw new Error(`${missing} apt-get install ${packages.join(' ')} ended with ${status}:\n${stderr}`);
  return installed;
}
