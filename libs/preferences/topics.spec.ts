import {
  fieldNamed,
  newestRequests,
  nextConfirmationEnd,
  nothingChosen,
  preferenceTurningPoints,
  shownState,
  standingField,
  standingOptOut,
  standingTopic,
  standsAbove,
  type ConfirmationRequest,
  type Said,
  type Topic,
} from './topics.js';

const EARLY = '2026-11-01T00:00:00.000Z';
const AT = '2026-11-21T12:00:00.000Z';
const LATE = '2026-11-23T12:00:00.000Z';

const topic = (more: Partial<Topic> = {}): Topic => ({
  state: 'GRANTED',
  recordId: 'rec_1',
  source: 'IMPORT',
  givenAt: EARLY,
  confirmedAt: null,
  frequency: null,
  pausedUntil: null,
  pending: null,
  ...more,
});
const request = (more: Partial<ConfirmationRequest> = {}): ConfirmationRequest => ({
  tokenHash: 'h',
  fields: [],
  expiresAt: AT,
  confirmedAt: null,
  expired: false,
  redirectUrl: '',
  text: { language: 'en', dir: 'ltr', title: '', paragraphs: [], button: '', footer: '' },
  identifierId: null,
  ...more,
});
const waiting = (until: string | null, since = AT) => ({ requestId: null, since, until });

describe('what is shown of a topic', () => {
  it.each<[string, Topic | undefined, string]>([
    ['nothing said', undefined, 'UNSET'],
    ['a grant', topic(), 'GRANTED'],
    ['a grant, asked for again', topic({ pending: waiting(LATE) }), 'GRANTED'],
    ['a refusal', topic({ state: 'DENIED' }), 'DENIED'],
    ['a wish without a link', topic({ state: 'UNSET', pending: waiting(null) }), 'PENDING'],
    ['a wish with a link', topic({ state: 'DENIED', pending: waiting(LATE) }), 'PENDING'],
    ['a wish at its very end', topic({ state: 'UNSET', pending: waiting(AT) }), 'EXPIRED'],
    ['a wish after a refusal at its very end', topic({ state: 'DENIED', pending: waiting(AT) }), 'DENIED'],
  ])('%s', (_, one, state) => expect(shownState(one, AT)).toBe(state));
});

describe('what was said last of a topic', () => {
  it.each<[string, Topic | undefined, Said | null]>([
    ['nothing', undefined, null],
    ['a grant', topic(), { givenAt: EARLY, refusing: false, source: 'IMPORT' }],
    ['a refusal', topic({ state: 'DENIED' }), { givenAt: EARLY, refusing: true, source: 'IMPORT' }],
    ['a wish', topic({ state: 'UNSET', pending: waiting(null) }), { givenAt: AT, refusing: false, source: 'API' }],
    ['a wish that ran out', topic({ state: 'UNSET', pending: waiting(AT) }), null],
    [
      'a wish of the time of a refusal',
      topic({ state: 'DENIED', pending: waiting(LATE, EARLY) }),
      { givenAt: EARLY, refusing: false, source: 'API' },
    ],
    [
      'a refusal after a wish',
      topic({ state: 'DENIED', givenAt: LATE, pending: waiting(LATE) }),
      { givenAt: LATE, refusing: true, source: 'IMPORT' },
    ],
  ])('is %s', (_, one, said) => expect(standingTopic(one, AT)).toEqual(said));

  it('is of a field or an opt-out what was said of that', () => {
    expect([standingField(undefined), standingOptOut(null)]).toEqual([null, null]);
    expect(standingField({ type: 'TEXT', value: 'x', recordId: 'r', source: 'IMPORT', givenAt: AT })).toEqual({
      givenAt: AT,
      refusing: false,
      source: 'IMPORT',
    });
    expect([true, false].map((active) => standingOptOut({ active, since: AT }))).toEqual([
      { givenAt: AT, refusing: true, source: 'API' },
      { givenAt: AT, refusing: false, source: 'API' },
    ]);
  });
});

describe('of two things said', () => {
  type Dated = Omit<Said, 'undated'>;
  const said = (givenAt: string, refusing = false, source: Said['source'] = 'API'): Dated => ({
    givenAt,
    refusing,
    source,
  });
  it.each<[string, Dated, Dated | null, boolean]>([
    ['the only one', said(AT), null, true],
    ['the later', said(LATE), said(AT, true), true],
    ['not the earlier', said(AT, true), said(LATE), false],
    ['the refusal of two at once', said(AT, true, 'MIGRATION'), said(AT), true],
    ['not the grant of two at once', said(AT), said(AT, true, 'MIGRATION'), false],
    ['the subject’s own of two at once', said(AT), said(AT, false, 'IMPORT'), true],
    ['an import before a migration', said(AT, false, 'IMPORT'), said(AT, false, 'MIGRATION'), true],
    ['not an import after the subject’s own', said(AT, false, 'IMPORT'), said(AT), false],
    ['the later in the stream of two alike', said(AT), said(AT), true],
  ])('%s stands', (_, next, current, stands) => expect(standsAbove(next, current)).toBe(stands));
});

describe('what the clock alone changes', () => {
  it('is when wishes run out and pauses end', () =>
    expect(
      preferenceTurningPoints({
        ...nothingChosen(),
        topics: {
          a: topic({ pausedUntil: LATE, pending: waiting(AT) }),
          b: topic({ pending: waiting(null) }),
          c: topic({ pausedUntil: EARLY }),
        },
      }),
    ).toEqual([EARLY, AT, LATE]));

  it('is the next end of a request that is open', () => {
    const next = (requests: Record<string, ConfirmationRequest>) =>
      nextConfirmationEnd({ ...nothingChosen(), requests });
    expect(next({})).toBeNull();
    expect(next({ a: request({ confirmedAt: EARLY }), b: request({ expired: true }) })).toBeNull();
    expect(
      next({ a: request({ expiresAt: LATE }), b: request(), c: request({ expiresAt: EARLY, expired: true }) }),
    ).toBe(AT);
  });
});

describe('what is remembered', () => {
  it('are the fifty newest requests, by their ids', () => {
    const id = (n: number): string => `rec_${String(n).padStart(3, '0')}`;
    const many = Object.fromEntries(Array.from({ length: 52 }, (_, i) => [id((i * 7) % 52), request()]));
    expect(Object.keys(newestRequests(many))).toEqual(Array.from({ length: 50 }, (_, i) => id(i + 2)));
  });

  it('is found under its own key only', () => {
    expect(fieldNamed(nothingChosen(), 'constructor')).toBeUndefined();
    const fields = { constructor: { type: 'TEXT', value: 'x', recordId: 'r', source: 'API', givenAt: AT } as const };
    expect(fieldNamed({ fields }, 'constructor')).toBe(fields.constructor);
  });

  it('is nothing at the beginning', () =>
    expect(nothingChosen()).toEqual({
      topics: {},
      fields: {},
      globalOptOut: null,
      verifiedKinds: [],
      requests: {},
      mails: {},
    }));
});
