import { BEGINNING } from '../../libs/kernel/index.js';
import type { EventLog, RecordedEvent } from '../../libs/log/port.js';

/** All events of streams with one of these prefixes, up to the end that the log has now, in the order of the log. */
export async function wholeLog(log: EventLog, prefixes: string[]): Promise<RecordedEvent[]> {
  const head = await log.head();
  // A log without events delivers nothing.
  if (head === BEGINNING) return [];
  const all: RecordedEvent[] = [];
  let subscription: ReturnType<EventLog['subscribe']>;
  await new Promise<void>((resolve, failed) => {
    subscription = log.subscribe({
      after: BEGINNING,
      prefixes,
      onBatch: async (events, through) => {
        all.push(...events);
        if (through >= head) resolve();
      },
      failed,
    });
  });
  await subscription!.stop();
  return all;
}
