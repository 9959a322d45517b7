import { subjectStream, type DomainEvent, type Scope } from '../kernel/index.js';
import type { FieldCipher } from './codec.js';
import type { Happened, SubjectStream } from './subject-stream.js';

const PAGE = 200;

/** An event and the subject on whose stream it stands. */
export interface JoinedEvent {
  subjectId: string;
  event: Happened<DomainEvent>;
}

/** The place in a history after which reading goes on, backwards. */
export interface HistoryPlace {
  position: bigint;
  subjectId: string;
  revision: number;
}

export interface HistorySource {
  streams: Pick<SubjectStream<unknown, never>, 'backwards' | 'revisionBefore'>;
  cipherOf: (subjectId: string) => Promise<FieldCipher>;
}

/**
 * The events of several subjects that are one, newest first. Nothing was copied when they became one: the streams are
 * read side by side and joined by their positions, so whatever is written or merged meanwhile, each event comes once.
 */
export async function* joinedHistory({ streams, cipherOf }: HistorySource, scope: Scope, subjectIds: readonly string[], after: HistoryPlace | undefined): AsyncGenerator<JoinedEvent> {
  const open = async (subjectId: string): Promise<AsyncGenerator<JoinedEvent, undefined>> => {
    const stream = subjectStream(scope, subjectId);
    const from = after && (after.subjectId === subjectId ? after.revision - 1 : await streams.revisionBefore(stream, after.position));
    return backwards(streams, stream, subjectId, await cipherOf(subjectId), from);
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

async function* backwards(streams: HistorySource['streams'], stream: string, subjectId: string, cipher: FieldCipher, from: number | undefined): AsyncGenerator<JoinedEvent, undefined> {
  for (let next = from; next !== -1; ) {
    const events = await streams.backwards(stream, next, PAGE, cipher);
    for (const event of events) yield { subjectId, event };
    if (events.length < PAGE) return;
    next = events.at(-1)!.revision - 1;
  }
}
