import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';

/** One incarnation of a process: the same pid given again to another program has another birth. */
export interface RunningProcess {
  pid: number;
  /** Boot and start time. Opaque, only ever compared. */
  birth: string;
  /** Name of the program, at most 15 characters. */
  program: string;
}

/** The process of that pid; null where it has ended, also while its parent has not reaped it (a zombie). */
export function runningProcess(pid: number): RunningProcess | null {
  if (!Number.isSafeInteger(pid) || pid < 1) return null;
  return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
}

function fromProc(pid: number): RunningProcess | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The program's name stands in brackets and may itself hold brackets and spaces (proc(5)).
    const closing = stat.lastIndexOf(')');
    const fields = stat.slice(closing + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return null;
    return { pid, birth: `${bootId()}:${fields[19]}`, program: stat.slice(stat.indexOf('(') + 1, closing) };
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

// Start times count from the boot, so alone they repeat after one.
const bootId = (): string => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();

function fromPs(pid: number): RunningProcess | null {
  const { stdout } = spawnSync('ps', ['-o', 'state=,lstart=,comm=', '-p', String(pid)], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
  });
  const parts = /^\s*(\S+)\s+(\S+ +\S+ +\d+ +[\d:]+ +\d+)\s+(.+?)\s*$/.exec(stdout ?? '');
  if (!parts || parts[1]!.startsWith('Z')) return null;
  return { pid, birth: parts[2]!, program: parts[3]!.split('/').at(-1)!.slice(0, 15) };
}

/** Whether the process works inside that folder: this distinguishes a Postgres server from one of another folder. */
export function worksIn(pid: number, folder: string): boolean {
  try {
    const wanted = statSync(folder);
    const found = statSync(process.platform === 'linux' ? `/proc/${pid}/cwd` : workingFolderByLsof(pid));
    return wanted.dev === found.dev && wanted.ino === found.ino;
  } catch {
    return false;
  }
}

function workingFolderByLsof(pid: number): string {
  const { stdout } = spawnSync('lsof', ['-a', '-p', String(pid), '-d', 'cwd', '-Fn'], { encoding: 'utf8' });
  return /^n(.+)$/m.exec(stdout ?? '')?.[1] ?? '';
}

const isMissing = (error: unknown): boolean =>
  ['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '');
