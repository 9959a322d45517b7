import { describe, expect, it } from '@jest/globals';
import { isRefusal, plusMs, type Instant } from '../kernel/index.js';
import { undo } from './links/decide-undo.js';
import { preferenceFold, type PreferenceState } from './state.js';
import type { Topic } from './topics.js';
import { UNDOABLE_MS, undoableNow, undoableUnsubscribing, undoStanding } from './links/undo-standing.js';

const LEFT_AT = '2026-11-22T10:00:00.000Z';
const SOON = plusMs(LEFT_AT, 1000);
const NEWS = 'channels.email.topics.news';
const OFFERS = 'channels.email.topics.offers';

const topic = (more: Partial<Topic>): Topic => ({
  state: 'DENIED',
  recordId: 'left',
  source: 'API',
  givenAt: LEFT_AT,
  confirmedAt: null,
  frequency: null,
  pausedUntil: null,
  pending: null,
  ...more,
});
const takenAway = { confirmedAt: null };
const stateOf = (topics: Record<string, Topic>): PreferenceState => ({ ...preferenceFold.initial(), topics });
const LEFT = stateOf({ [NEWS]: topic({ takenAway }), [OFFERS]: topic({ takenAway }) });
const CONFIRMED = stateOf({ [NEWS]: topic({ state: 'GRANTED', confirmedAt: LEFT_AT }) });

describe('what a link did can be undone', () => {
  it('until a day is over, and not in the moment in which it is', () => {
    const until = plusMs(LEFT_AT, UNDOABLE_MS);
    expect(undoStanding('left', LEFT, plusMs(until, -1))).toEqual({
      recordId: 'left',
      undoes: 'UNSUBSCRIPTION',
      paths: [NEWS, OFFERS],
      until,
    });
    expect(undoStanding('left', LEFT, until)).toBe('OVER');
  });

  it('where it was a confirmation', () =>
    expect(undoStanding('left', CONFIRMED, SOON)).toMatchObject({ undoes: 'CONFIRMATION', paths: [NEWS] }));

  it('where it still stands, by a record that there is', () => {
    expect(undoStanding('other', LEFT, SOON)).toBe('CHANGED_SINCE');
    expect(undoStanding('left', stateOf({ [NEWS]: topic({}) }), SOON)).toBe('CHANGED_SINCE');
    expect(undoableNow('other', LEFT, SOON)).toBeNull();
    expect(undoableNow(undefined, stateOf({ [NEWS]: topic({ recordId: null, takenAway }) }), SOON)).toBeNull();
  });
});

describe('of several that unsubscribed', () => {
  const later = plusMs(LEFT_AT, 1);
  const older = topic({ takenAway });
  const newer = topic({ recordId: 'newer', givenAt: later, takenAway });

  it.each([
    ['first', { [NEWS]: older, [OFFERS]: newer }],
    ['last', { [NEWS]: newer, [OFFERS]: older }],
  ])('the newest is offered, also where it is not named %s', (_, topics) =>
    expect(undoableUnsubscribing(Object.keys(topics), stateOf(topics), SOON)?.recordId).toBe('newer'),
  );

  it('only one that took something away, from a topic that is named', () => {
    expect(undoableUnsubscribing([NEWS, 'channels.email.topics.none'], LEFT, SOON)?.recordId).toBe('left');
    expect(undoableUnsubscribing([NEWS], CONFIRMED, SOON)).toBeNull();
    expect(undoableUnsubscribing(['channels.email.topics.none'], LEFT, SOON)).toBeNull();
    expect(undoableUnsubscribing([], LEFT, SOON)).toBeNull();
  });
});

describe('the record of an undo', () => {
  const recordOf = (state: PreferenceState, at: Instant, via: 'PAGE' | 'API' = 'PAGE') => {
    const decided = undo(
      {
        recordId: 'undoing',
        undoes: 'left',
        template: { version: 1, locale: 'en', contentHash: 'sha256:0' },
        via,
        provenance: { keyId: 'link' },
      },
      state,
      at,
    );
    if (isRefusal(decided)) throw new Error(decided.code);
    return decided.events[0]!.data;
  };

  it.each([
    ['PAGE', 'FORM'],
    ['API', 'API'],
  ] as const)('tells by which way it came: %s', (via, surface) =>
    expect(recordOf(LEFT, SOON, via)).toMatchObject({
      undoes: 'left',
      source: 'API',
      collection: { method: 'CONFIRMATION_LINK', surface },
    }),
  );

  it('is of now; giving back comes after what was taken, also by a clock that lags', () => {
    expect(recordOf(LEFT, SOON).givenAt).toBe(SOON);
    expect(recordOf(LEFT, LEFT_AT).givenAt).toBe(plusMs(LEFT_AT, 1));
    expect(recordOf(LEFT, plusMs(LEFT_AT, -50)).givenAt).toBe(plusMs(LEFT_AT, 1));
    expect(recordOf(CONFIRMED, LEFT_AT).givenAt).toBe(LEFT_AT);
  });
});
