import { consentFold, stateAt } from '../consent/index.js';
import { subjectStream, type Instant, type Position, type Scope } from '../kernel/index.js';
import { preferenceFold, shownState } from '../preferences/index.js';
import { subjectStreamFold } from '../subjects/index.js';
import type { LogAtHand } from './log-at-hand.js';
import { foldedThrough } from './folded-through.js';

/** What stood for a subject when the log ended. */
export interface Stood {
  about: string;
  state: string;
  since: Instant;
  /** Null: it does not end by itself. */
  until: Instant | null;
}

/** Choices and preferences of a subject, by name; `at`: the moment that is asked about. */
export async function whatStood(
  engines: LogAtHand,
  scope: Scope,
  subjectId: string,
  through: Position,
  at: Instant,
): Promise<Stood[]> {
  const stream = subjectStream(scope, subjectId);
  const [{ purposes }, { topics, globalOptOut }] = await Promise.all([
    foldedThrough(engines, stream, subjectStreamFold(consentFold), through),
    foldedThrough(engines, stream, subjectStreamFold(preferenceFold), through),
  ]);
  const consents = Object.entries(purposes).map(([about, current]) => ({
    about,
    state: stateAt(current, at),
    since: current.givenAt,
    until: current.expiresAt,
  }));
  const wishes = Object.entries(topics).map(([about, topic]) => ({
    about,
    state: shownState(topic, at),
    since: topic.givenAt,
    until: null,
  }));
  const optOut = globalOptOut?.active
    ? [{ about: 'globalOptOut', state: 'ACTIVE', since: globalOptOut.since, until: null }]
    : [];
  const byName = (a: Stood, b: Stood): number => (a.about < b.about ? -1 : 1);
  return [...consents.sort(byName), ...wishes.sort(byName), ...optOut];
}
