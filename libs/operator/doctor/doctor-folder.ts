import { stat, statfs } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fail, ok, warn, type Finding } from './findings.js';

const FREE_BYTES = { warn: 1_000_000_000, fail: 200_000_000 };

/** Checks the data folder: free space, and which users can read its files. No finding where there is none. */
export async function checkFolder(dataFolder: string, holdsMasterKey: boolean): Promise<Finding[]> {
  const folder = resolve(dataFolder);
  const found = await stat(folder).catch(() => null);
  if (!found?.isDirectory())
    return [
      holdsMasterKey
        ? fail(
            'data folder',
            `${folder} is not there`,
            'Set ASSENT_DATA to the data folder, or ASSENT_MASTER_KEY and DATABASE_URL where there is none.',
          )
        : ok('data folder', 'none needed'),
    ];
  const findings = [await checkRoom(folder), onlyOwner('data folder', folder, found.mode)];
  for (const name of ['master.key', 'demo.json', 'postgres.password']) {
    const file = await stat(join(folder, name)).catch(() => null);
    if (file) findings.push(onlyOwner(name, join(folder, name), file.mode));
  }
  return findings;
}

async function checkRoom(folder: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const found = `${(free / 1e9).toFixed(1)} GB free`;
  const fix = 'Make room: a full disk refuses writes.';
  if (free < FREE_BYTES.fail) return fail('disk', found, fix);
  return free < FREE_BYTES.warn ? warn('disk', found, fix) : ok('disk', found);
}

function onlyOwner(check: string, path: string, mode: number): Finding {
  const rights = (mode & 0o777).toString(8).padStart(4, '0');
  return (mode & 0o077) === 0
    ? ok(check, `mode ${rights}`)
    : fail(check, `mode ${rights}: others can read it`, `chmod go= ${path}`);
}
