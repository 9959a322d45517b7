import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cpuUsage } from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';

/** Beside a load everything takes longer. */
const WAIT_MS = 240_000;
const LOOK_EVERY_MS = 5;

/** Looks again and again for what comes about by itself, and answers it. Fails where it has not come after that time. */
export async function until<T>(
  look: () => T | Promise<T>,
  withinMs = WAIT_MS,
): Promise<Exclude<T, false | null | undefined>> {
  for (const deadline = Date.now() + withinMs; ; await pause(LOOK_EVERY_MS)) {
    const found = await look();
    if (found) return found as Exclude<T, false | null | undefined>;
    if (Date.now() > deadline) throw new Error(`it did not happen within ${withinMs / 1000} s: ${String(look)}`);
  }
}

/** Asks again where that failed for a reason that passes. Fails with the last reason where it has not passed after that time. */
export async function untilItPasses<T>(
  ask: () => Promise<T>,
  isPassing: (error: unknown) => boolean,
  { withinMs = WAIT_MS, rest = () => pause(LOOK_EVERY_MS) }: { withinMs?: number; rest?: () => Promise<unknown> } = {},
): Promise<T> {
  for (const deadline = Date.now() + withinMs; ; await rest()) {
    try {
      return await ask();
    } catch (error) {
      if (!isPassing(error)) throw error;
      if (Date.now() > deadline) throw new Error(`it did not work within ${withinMs / 1000} s`, { cause: error });
    }
  }
}

/** What a computation costs this process, in ms of processor: the same beside a load, where the clock goes on. */
export function processorMs(compute: () => void): number {
  const before = cpuUsage();
  compute();
  const { user, system } = cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * Whether the work settles before a timer of this process does that was set together with it. On a loaded machine both
 * come late, in the same order.
 */
export async function settlesWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout;
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), ms)));
  const settled = work.then(
    () => true,
    () => true,
  );
  return Promise.race([settled, late]).finally(() => clearTimeout(timer));
}

/**
 * How long the work took, in ms, less what these processes waited for a processor meanwhile: that is what other programs
 * of the machine cost. Linux counts it for every thread (schedstat); where nobody counts, nothing is taken off.
 */
export async function undisturbedMs(pids: readonly number[], work: () => Promise<unknown>): Promise<number> {
  const waited = (): number => pids.reduce((sum, pid) => sum + waitedMs(pid), 0);
  const [start, before] = [performance.now(), waited()];
  await work();
  return performance.now() - start - (waited() - before);
}

/** What the threads of a process have waited for a processor since they began, in ms. */
function waitedMs(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/task`)
      .map((thread) => Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ')[1]) / 1e6)
      .reduce((sum, ms) => sum + ms, 0);
  } catch {
    return 0;
  }
}

/** The process that holds a data folder, by the name of its lock. */
export const holderOf = (dataFolder: string): number =>
  Number(readdirSync(join(dataFolder, 'assent.holder'))[0]!.split('.')[0]);
