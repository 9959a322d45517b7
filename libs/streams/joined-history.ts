import {
  subjectStream,
  type DomainEvent,
  type FieldCipher,
  type HistoryPlace,
  type Position,
  type Scope,
} from '../kernel/index.js';
import type { Happened } from './folding.js';

/** Most events of one read. */
const PAGE = 200;
/** Most events that are read for one answer. A page that is not full by then says that more may follow. */
const MOST_LOOKED_AT = 2_000;

/** An event and the subject on whose stream it stands. */
export interface JoinedEvent {
  subjectId: string;
  event: Happened<DomainEvent>;
}

/** The part of StreamReading that is used here. */
interface StreamsBackwards {
  backwards(
    stream: string,
    from: number | undefined,
    limit: number,
    cipher: FieldCipher,
  ): Promise<{ events: Happened<DomainEvent>[]; next: number | null }>;
  revisionBefore(stream: string, position: Position): Promise<number>;
}

export interface HistorySource {
  streams: StreamsBackwards;
  cipherOf: (subjectId: string) => Promise<FieldCipher>;
}

/**
 * The events of merged subjects, newest first. A merge copies no event: this reads the streams side by side and joins them
 * by position. Each event comes once, also where the service writes or merges meanwhile.
 */
export async function* joinedHistory(
  { streams, cipherOf }: HistorySource,
  scope: Scope,
  subjectIds: readonly string[],
  after: HistoryPlace | undefined,
  /** Events that are first read of each stream, so that a small page costs little. */
  first: number = PAGE,
): AsyncGenerator<JoinedEvent> {
  const open = async (subjectId: string): Promise<AsyncGenerator<JoinedEvent, undefined>> => {
    const stream = subjectStream(scope, subjectId);
    const from =
      after &&
      (after.subjectId === subjectId ? after.revision - 1 : await streams.revisionBefore(stream, after.position));
    return backwards(streams, stream, subjectId, await cipherOf(subjectId), from, Math.min(first, PAGE));
  };
  const heads: { reader: AsyncGenerator<JoinedEvent, undefined>; next: JoinedEvent }[] = [];
  for (const reader of await Promise.all(subjectIds.map(open))) {
    const { value } = await reader.next();
    if (value) heads.push({ reader, next: value });
  }
  while (heads.length > 0) {
    const newest = heads.reduce((a, b) => (a.next.event.position >= b.next.event.position ? a : b));
    yield newest.next;
    const { value } = await newest.reader.next();
    if (value) newest.next = value;
    else heads.splice(heads.indexOf(newest), 1);
  }
}

/**
 * One page of such a history: the result of `item` for each event, newest first, up to a limit. `next`: where the next page
 * begins; null where nothing is left. Events keep their places, so pages join without gap or repeat, also where the service
 * writes or merges meanwhile.
 */
export async function historyPage<T>(
  source: HistorySource,
  scope: Scope,
  subjectIds: readonly string[],
  after: HistoryPlace | undefined,
  limit: number,
  item: (joined: JoinedEvent) => T | null,
): Promise<{ data: T[]; next: HistoryPlace | null }> {
  const data: T[] = [];
  let next: HistoryPlace | null = null;
  let lookedAt = 0;
  for await (const joined of joinedHistory(source, scope, subjectIds, after, limit + 1)) {
    const shown = item(joined);
    if (shown !== null) {
      // Reads one more than the page shows, to know whether more follow.
      if (data.length === limit) return { data, next };
      data.push(shown);
    }
    const { subjectId, event } = joined;
    next = { position: event.position, subjectId, revision: event.revision };
    if (++lookedAt === MOST_LOOKED_AT) return { data, next };
  }
  return { data, next: null };
}

async function* backwards(
  streams: HistorySource['streams'],
  stream: string,
  subjectId: string,
  cipher: FieldCipher,
  from: number | undefined,
  first: number,
): AsyncGenerator<JoinedEvent, undefined> {
  for (let at = from, count = first; at !== -1; count = PAGE) {
    const { events, next } = await streams.backwards(stream, at, count, cipher);
    for (const event of events) yield { subjectId, event };
    if (next === null) return;
    at = next;
  }
}
