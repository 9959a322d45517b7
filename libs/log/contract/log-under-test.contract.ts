import { randomUUID } from 'node:crypto';
import type { AppendOutcome, EventLog, NewEvent, RecordedEvent } from '../port.js';
import { BEGINNING, type Position } from '../../kernel/index.js';

/** One log under test. `reopen` opens a second client of the same log, as another process would. */
export interface OpenedLog {
  log: EventLog;
  reopen?: () => Promise<EventLog>;
  /**
   * Lets the log, or the way to it, take everything and answer nothing, as a frozen process does; `log` is a client that
   * sends nothing again by itself. Present where `hangs`.
   */
  silence?: { log: EventLog; begin(): void; end(): void };
  close(): Promise<void>;
}

export interface ContractOptions {
  /** Whether positions are dense; otherwise they only grow. */
  density?: 'dense' | 'growing';
  /** Runs per property: fewer for a log that is far away. */
  runs?: number;
  /** Whether it is over a wire and can hang. */
  hangs?: boolean;
}

/** What each part of the contract is given: the log is there once its tests run. */
export interface LogUnderTest extends Required<ContractOptions> {
  opened: () => OpenedLog;
  log: () => EventLog;
}

/** An event as tests write it: a type and whatever data. */
export function anEvent(type = 'Happened', data: unknown = {}, id: string = randomUUID()): NewEvent {
  return {
    id,
    type,
    data,
    metadata: { schemaVersion: 1, actor: 'system:test', recordedAt: '2026-01-02T03:04:05.678Z' },
  };
}
export const someEvents = (count: number, from = 0): NewEvent[] =>
  Array.from({ length: count }, (_, i) => anEvent('Counted', { n: from + i }));

/** Collects what a subscription delivers; `until` resolves as soon as a condition over it holds. */
export function collector() {
  const events: RecordedEvent[] = [];
  const batches: { size: number; through: Position }[] = [];
  const waiting: { holds: () => boolean; resolve: () => void }[] = [];
  return {
    events,
    batches,
    through: (): Position => batches.at(-1)?.through ?? BEGINNING,
    onBatch: async (batch: RecordedEvent[], through: Position): Promise<void> => {
      events.push(...batch);
      batches.push({ size: batch.length, through });
      for (const entry of [...waiting]) {
        if (!entry.holds()) continue;
        waiting.splice(waiting.indexOf(entry), 1);
        entry.resolve();
      }
    },
    until: (holds: () => boolean): Promise<void> =>
      holds() ? Promise.resolve() : new Promise((resolve) => waiting.push({ holds, resolve })),
  };
}

export const numbers = (events: RecordedEvent[]): unknown[] => events.map((event) => (event.data as { n: unknown }).n);
/** All that an event says, also where the log parses it only when it is asked. */
export const membersOf = ({ stream, revision, position, id, type, data, metadata }: RecordedEvent): RecordedEvent => ({
  stream,
  revision,
  position,
  id,
  type,
  data,
  metadata,
});
export const upTo = (count: number, from = 0): number[] => Array.from({ length: count }, (_, i) => from + i);
export const appended = (outcome: AppendOutcome) => {
  if (outcome.outcome !== 'appended') throw new Error(`expected to append, got ${JSON.stringify(outcome)}`);
  return outcome;
};

/** A name that no other stream has: the log under test may be shared. */
export const streamName = (kind = 'contract'): string => `${kind}-${randomUUID()}`;
