import { setTimeout as pause } from 'node:timers/promises';

const NEAREST_MS = 1_500;
const FURTHEST_MS = 120_000;

/**
 * For what ends by the clock: prepares it with a moment that is near, and resolves when that moment has come, with both.
 * Where the machine is so busy that the moment came before the preparation was done, all of it is done again with one
 * that is further away.
 */
export async function atTheEnd<T>(prepare: (endsAt: string) => Promise<T>): Promise<{ endsAt: string; prepared: T }> {
  for (let aheadMs = NEAREST_MS; ; aheadMs *= 3) {
    const end = Date.now() + aheadMs;
    const endsAt = new Date(end).toISOString();
    const [outcome] = await Promise.allSettled([prepare(endsAt)]);
    const isLate = Date.now() >= end;
    if (isLate && aheadMs < FURTHEST_MS) continue;
    if (outcome.status === 'rejected') throw outcome.reason;
    await pause(Math.max(0, end - Date.now()) + 5);
    return { endsAt, prepared: outcome.value };
  }
}
