export class TimedOut extends Error {}

/** The work itself is left to its own time-outs. Rejects with TimedOut where it has not settled by then. */
export function within<R>(ms: number, work: Promise<R>): Promise<R> {
  let timer: NodeJS.Timeout;
  const late = new Promise<never>(
    (_, reject) => (timer = setTimeout(() => reject(new TimedOut('no answer in time')), ms)),
  );
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
