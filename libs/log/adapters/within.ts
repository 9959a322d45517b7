export class TimedOut extends Error {}

/** Rejects with TimedOut where `work` has not settled after `ms`. The work itself goes on until its own time-out. */
export function within<R>(ms: number, work: Promise<R>): Promise<R> {
  let timer: NodeJS.Timeout;
  const late = new Promise<never>(
    (_, reject) => (timer = setTimeout(() => reject(new TimedOut('no answer in time')), ms)),
  );
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
