import { cpuUsage } from 'node:process';

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
