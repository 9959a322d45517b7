import { readFileSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { StartRefused } from '../start-refused.js';
import { folderRefusal } from './data-folder.js';
import { addressOf } from './postgres-socket.js';
import { runningProcess } from './running-process.js';

/**
 * Address of the bundled Postgres that a running Assent serves from this data folder, for commands beside it. Holds the
 * password. Throws StartRefused where it does not run: only Assent itself starts it.
 */
export function bundledPostgresUrl(dataFolder: string): string {
  const folder = resolve(dataFolder);
  const [pid, , , port, , , , status] = linesOf(join(folder, 'postgres', 'postmaster.pid'));
  const isReady =
    /^(ready|standby)/.test(status ?? '') && runningProcess(Math.abs(Number(pid)))?.program === 'postgres';
  if (!isReady)
    throw new StartRefused(
      `No database: Assent does not run on ${folder}; start it (npm start), set ASSENT_DATA to the folder of one that runs, or set DATABASE_URL.`,
    );
  const [password] = linesOf(join(folder, 'postgres.password'));
  return addressOf(realpathSync(join(folder, 'postgres')), Number(port), password!);
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw folderRefusal(file, error);
  }
}
