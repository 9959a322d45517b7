import type { Position } from '../kernel/index.js';
import type { NewEvent } from './port.js';

/** What one append may hold at most. EventStoreDB takes 1 MiB by default; ours is below, counted over data and metadata. */
export const APPEND_EVENTS_MAX = 1000;
export const APPEND_BYTES_MAX = 1_000_000;
/** Most events that one `read` answers. */
export const READ_EVENTS_MAX = 1000;
/** How long an append may take, in ms. After that its outcome is unknown; a write is refused within 2 s. */
export const APPEND_MS_MAX = 1500;
/** How long a read of a stream may take, in ms. After that it is refused, within 2 s. */
export const READ_MS_MAX = 1600;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
// `$` belongs to the log itself (tombstones here, system streams in EventStoreDB).
const NAME = /^[^$\p{Cc}]\P{Cc}{0,254}$/u;

/** An event as text, as every adapter stores it. */
export interface SerialisedEvent {
  id: string;
  type: string;
  data: string;
  metadata: string;
}

/**
 * Checks one append against the port's limits and turns it into text. A refusal is a bug of the caller: RangeError for a
 * limit, TypeError for a value or a name that the log cannot hold.
 */
export function serialiseAppend(
  stream: string,
  expected: number,
  events: readonly NewEvent[],
): { events: SerialisedEvent[]; bytes: number } {
  if (!NAME.test(stream) || !stream.isWellFormed()) throw new TypeError(`not a stream name: ${JSON.stringify(stream)}`);
  if (!Number.isSafeInteger(expected) || expected < -1) throw new RangeError(`not an expected revision: ${expected}`);
  if (events.length < 1 || events.length > APPEND_EVENTS_MAX)
    throw new RangeError(`an append holds 1 to ${APPEND_EVENTS_MAX} events, not ${events.length}`);
  let bytes = 0;
  const serialised = events.map(({ id, type, data, metadata }) => {
    if (!UUID.test(id)) throw new TypeError(`not a UUID in lower case: ${JSON.stringify(id)}`);
    if (!NAME.test(type)) throw new TypeError(`not an event type: ${JSON.stringify(type)}`);
    const text = { id, type, data: JSON.stringify(data) as string | undefined, metadata: JSON.stringify(metadata) };
    if (text.data === undefined) throw new TypeError(`the data of ${type} is nothing that JSON can hold`);
    bytes += Buffer.byteLength(text.data) + Buffer.byteLength(text.metadata);
    return text as SerialisedEvent;
  });
  if (bytes > APPEND_BYTES_MAX)
    throw new RangeError(`an append holds at most ${APPEND_BYTES_MAX} bytes of data and metadata, not ${bytes}`);
  return { events: serialised, bytes };
}

/** Checks the limit of a read. */
export function checkedLimit(limit: number): number {
  if (!Number.isInteger(limit) || limit < 1 || limit > READ_EVENTS_MAX)
    throw new RangeError(`a read answers 1 to ${READ_EVENTS_MAX} events, not ${limit}`);
  return limit;
}

/** Each position once, in the order of the log. Checks how many they are. */
export function inOrder(positions: readonly Position[]): Position[] {
  if (positions.length > READ_EVENTS_MAX)
    throw new RangeError(`a read answers at most ${READ_EVENTS_MAX} events, not ${positions.length}`);
  return [...new Set(positions)].sort((a, b) => (a < b ? -1 : 1));
}
