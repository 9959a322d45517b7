import { plusMs, type Instant } from '../../kernel/index.js';
import { ANSWERED_AGAIN_MS } from './link-standing.js';
import type { PreferenceChoices, Topic } from '../topics.js';

/** How long what a link did can be undone. A link that was used answers the same for as long, and offers the undo again. */
export const UNDOABLE_MS = ANSWERED_AGAIN_MS;

/** What a record by a link did, as far as it still stands. */
export interface Undoable {
  recordId: string;
  undoes: 'CONFIRMATION' | 'UNSUBSCRIPTION';
  /** Topics that stand as the record left them, by path. What was chosen anew since is not touched. */
  paths: readonly string[];
  until: Instant;
}

/** A confirmation left a grant, and unsubscribing a refusal that took a grant away. */
const isLeftBy = (recordId: string, { recordId: decidedBy, state, takenAway }: Topic): boolean =>
  decidedBy === recordId && (state === 'GRANTED' || takenAway !== undefined);

/** What can be undone of a record by a link; CHANGED_SINCE: nothing of it stands any more; OVER: it is too late. */
export function undoStanding(
  recordId: string,
  { topics }: Pick<PreferenceChoices, 'topics'>,
  at: Instant,
): Undoable | 'CHANGED_SINCE' | 'OVER' {
  const left = Object.entries(topics).filter(([, topic]) => isLeftBy(recordId, topic));
  const [first] = left;
  if (!first) return 'CHANGED_SINCE';
  const [, { state, givenAt }] = first;
  const until = plusMs(givenAt, UNDOABLE_MS);
  if (until <= at) return 'OVER';
  return {
    recordId,
    undoes: state === 'GRANTED' ? 'CONFIRMATION' : 'UNSUBSCRIPTION',
    paths: left.map(([path]) => path).sort(),
    until,
  };
}

/** The same, or null where there is nothing that could be undone. */
export function undoableNow(recordId: string | undefined, choices: PreferenceChoices, at: Instant): Undoable | null {
  const standing = recordId === undefined ? null : undoStanding(recordId, choices, at);
  return typeof standing === 'string' ? null : standing;
}

/** The newest unsubscribing from one of these topics that can be undone; null where there is none. */
export function undoableUnsubscribing(
  paths: readonly string[],
  choices: PreferenceChoices,
  at: Instant,
): Undoable | null {
  const taken = paths.flatMap((path) => {
    const topic = choices.topics[path];
    return topic?.takenAway ? [topic] : [];
  });
  const newest = taken.sort((a, b) => (a.givenAt < b.givenAt ? 1 : -1))[0];
  return undoableNow(newest?.recordId ?? undefined, choices, at);
}
