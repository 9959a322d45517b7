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
/** Events looked at for one answer; a page that is not full by then says that more may follow. */
const MOST_LOOKED_AT = 2_000;

/** An event and the subject on whose stream it stands. */
export interface JoinedEvent {
  subjectId: string;
  event: Happened<DomainEvent>;
  /** It is about the subject and stands on another stream. */
  isAside?: true;
}

/**
 * Events about these subjects on other streams, newest first and each once: those before a position, or all. `newest`: of
 * the events on the subjects' own streams, the last; what stands before it has to be there.
 */
export type EventsAside = (asked: {
  subjectIds: readonly string[];
  before: Position | undefined;
  newest: Position | null;
  /** How many are most likely wanted. */
  first: number;
}) => AsyncGenerator<JoinedEvent, undefined>;

/** The streams, as far as they are read here: see StreamReading. */
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
  /** Absent: the subjects' own streams are all that is joined. */
  aside?: EventsAside;
}

/**
 * The events of several subjects that are one, newest first. Nothing was copied when they became one: the streams are
 * read side by side and joined by their positions, so whatever is written or merged meanwhile, each event comes once.
 */
export async function* joinedHistory(
  { streams, cipherOf, aside }: HistorySource,
  scope: Scope,
  subjectIds: readonly string[],
  after: HistoryPlace | undefined,
  /** How many events are read of each subject at first. A caller who wants few passes fewer than a page. */
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
  const begin = async (reader: AsyncGenerator<JoinedEvent, undefined>): Promise<void> => {
    const { value } = await reader.next();
    if (value) heads.push({ reader, next: value });
  };
  for (const reader of await Promise.all(subjectIds.map(open))) await begin(reader);
  if (aside) {
    const newest = heads.reduce<Position | null>(
      (last, { next: { event } }) => (last === null || event.position > last ? event.position : last),
      null,
    );
    await begin(aside({ subjectIds, before: after?.position, newest, first: Math.min(first, PAGE) }));
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
 * One page of such a history: what `item` makes of each event, newest first, up to a limit. `next` is where the page
 * after goes on; null where nothing is left. What is shown never changes its place: whatever is written or merged
 * meanwhile, pages join without gap or repeat.
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
  // On the subjects' own streams: an event that stands aside does not move it.
  let own = after ?? { subjectId: '', revision: 0 };
  let lookedAt = 0;
  for await (const joined of joinedHistory(source, scope, subjectIds, after, limit + 1)) {
    const shown = item(joined);
    if (shown !== null) {
      // One more than is shown: only then it is known that more follows.
      if (data.length === limit) return { data, next };
      data.push(shown);
    }
    const { subjectId, event, isAside } = joined;
    if (!isAside) own = { subjectId, revision: event.revision };
    next = { position: event.position, subjectId: own.subjectId, revision: own.revision };
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
