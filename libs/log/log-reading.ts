import type { EventLog, RecordedEvent } from './port.js';
import type { Position } from '../kernel/index.js';

export interface Stretch {
  /** Exclusive. */
  after: Position;
  /** Inclusive: nothing beyond is handed on. */
  through: Position;
  prefixes: readonly string[];
}

/**
 * Reads a stretch of the log in log order and calls `take` with each batch; the next batch waits for it. Ends at the end
 * of the stretch, or as soon as `take` answers "enough".
 */
export async function readLog(
  log: EventLog,
  { after, through, prefixes }: Stretch,
  take: (events: RecordedEvent[], reached: Position) => Promise<void | 'enough'> | void | 'enough',
): Promise<void> {
  if (through <= after) return;
  let finish!: (error?: unknown) => void;
  const done = new Promise<void>(
    (resolve, reject) => (finish = (error) => (error === undefined ? resolve() : reject(error as Error))),
  );
  let over = false;
  const subscription = log.subscribe({
    after,
    prefixes,
    onBatch: async (events, seen) => {
      if (over) return;
      const wanted =
        events.at(-1) && events.at(-1)!.position > through
          ? events.filter(({ position }) => position <= through)
          : events;
      const enough = await take(wanted, seen < through ? seen : through);
      if (enough === 'enough' || seen >= through) {
        over = true;
        finish();
      }
    },
    failed: (error) => finish(error ?? new Error('the log could not be read')),
  });
  try {
    await done;
  } finally {
    await subscription.stop();
  }
}
