import { requireFrom } from '../streams/incomplete-stream.js';
import { Stream } from '../streams/stream.js';
import type { RecordedEvent } from '../log/port.js';
import { type Position, subjectStream, type Scope } from '../kernel/index.js';
import {
  evolveStanding,
  familyOf,
  followToRead,
  LIFECYCLE,
  standingOf,
  subjectStreamFold,
  type LifecycleEvent,
  type Standed,
} from '../subjects/index.js';
import type { LogAtHand } from './log-at-hand.js';

/** Events in memory at once, over all streams; at least PAGE_MIN of each. */
const HELD_MAX = 5_000;
const PAGE_MIN = 10;
const PAGE_MAX = 500;

/**
 * Ids of all subjects that were merged with this one, itself included; the survivor comes first. Works for erased
 * subjects too: their streams remain. Events that cannot be read are passed: what an auditor is shown says so itself.
 */
export async function familyOfSubject({ log, codec }: LogAtHand, scope: Scope, subjectId: string): Promise<string[]> {
  const fold = subjectStreamFold<Standed, LifecycleEvent>({
    on: LIFECYCLE,
    initial: () => ({}),
    evolve: (state, event) => ({ standing: evolveStanding(standingOf(state), event) }),
  });
  const streams = new Stream(log, codec, { ...fold, passesUnreadable: true });
  const { root, path } = await followToRead(
    subjectId,
    async (id) => (await streams.load(subjectStream(scope, id))).state,
  );
  return [...new Set([root.subjectId, ...path.map((step) => step.subjectId), ...familyOf(standingOf(root.state))])];
}

/** The events of several subjects in the order of the log, page by page; none beyond `through`. */
export function eventsOf(
  engines: Pick<LogAtHand, 'log'>,
  scope: Scope,
  subjectIds: readonly string[],
  through: Position,
): AsyncGenerator<RecordedEvent[]> {
  const streams = subjectIds.map((subjectId) => subjectStream(scope, subjectId));
  return eventsOfStreams(engines, streams, through);
}

/** The same of streams by their names. */
export async function* eventsOfStreams(
  { log }: Pick<LogAtHand, 'log'>,
  streams: readonly string[],
  through: Position,
): AsyncGenerator<RecordedEvent[]> {
  const limit = Math.max(PAGE_MIN, Math.min(PAGE_MAX, Math.floor(HELD_MAX / streams.length)));
  const heads: { events: AsyncGenerator<RecordedEvent, undefined>; next: RecordedEvent }[] = [];
  for (const stream of streams) {
    const events = forwards(log, stream, limit);
    const { value } = await events.next();
    if (value) heads.push({ events, next: value });
  }
  for (let page: RecordedEvent[] = []; ;) {
    const head = heads.length > 0 ? heads.reduce((a, b) => (a.next.position <= b.next.position ? a : b)) : null;
    const isOver = head === null || head.next.position > through;
    if (page.length > 0 && (isOver || page.length === PAGE_MAX)) {
      yield page;
      page = [];
    }
    if (isOver) return;
    page.push(head.next);
    const { value } = await head.events.next();
    if (value) head.next = value;
    else heads.splice(heads.indexOf(head), 1);
  }
}

async function* forwards(
  log: LogAtHand['log'],
  stream: string,
  limit: number,
): AsyncGenerator<RecordedEvent, undefined> {
  for (let from = 0; ; from += limit) {
    const events = await log.read(stream, { direction: 'forwards', from, limit });
    requireFrom(stream, from, events);
    yield* events;
    if (events.length < limit) return;
  }
}
