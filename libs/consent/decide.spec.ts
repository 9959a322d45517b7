import type { Terms } from '../catalogue/index.js';
import { describe, expect, it } from '@jest/globals';
import { decisionTest } from '../kernel/given-when-then.js';
import { checkRecord, expireConsent, originAndPath, recordConsent, type RecordConsent } from './decide.js';
import type { ConsentEvent, ConsentRecordedData } from './events.js';
import { consentFold } from './state.js';

const NOW = '2026-11-21T12:00:00.000Z';
const terms: Terms = {
  version: 2,
  retired: false,
  legalBasis: 'CONSENT',
  consentModel: 'OPT_IN',
  validityDays: 365,
  notice: { locale: 'en', contentHash: 'sha256:00' },
};
const command = (over: Partial<RecordConsent> = {}): RecordConsent => ({
  recordId: 'rec_2',
  purpose: 'analytics',
  decision: 'GRANTED',
  source: 'API',
  provenance: { keyId: 'key_1' },
  ...over,
});
const given = decisionTest(
  consentFold,
  ({ terms: own, at, country, ...rest }: RecordConsent & { terms?: Terms; at?: string; country?: string }, state) =>
    recordConsent(rest, own ?? terms, state, at ?? NOW, country),
);

const recorded = (over: Partial<ConsentRecordedData> = {}): ConsentEvent => ({
  type: 'ConsentRecorded',
  data: {
    recordId: 'rec_1',
    purpose: 'analytics',
    purposeVersion: 1,
    decision: 'GRANTED',
    previousState: 'NOT_COLLECTED',
    state: 'GRANTED',
    appliedToState: true,
    supersededBy: null,
    source: 'API',
    givenAt: '2026-11-01T00:00:00.000Z',
    recordedAt: '2026-11-01T00:00:00.000Z',
    expiresAt: null,
    actor: { type: 'SUBJECT' },
    notice: { locale: 'en', contentHash: 'sha256:00' },
    provenance: { keyId: 'key_1' },
    ...over,
  },
});
const only = (check: (data: ConsentRecordedData) => void) => (events: ConsentEvent[]) => {
  expect(events).toHaveLength(1);
  check(events[0]!.data as ConsentRecordedData);
};

describe('recording a decision', () => {
  it('keeps who, what, when, which version and which text', () =>
    given()
      .when(command())
      .then(
        only((data) =>
          expect(data).toMatchObject({
            purpose: 'analytics',
            purposeVersion: 2,
            decision: 'GRANTED',
            previousState: 'NOT_COLLECTED',
            state: 'GRANTED',
            givenAt: NOW,
            recordedAt: NOW,
            expiresAt: '2027-11-21T12:00:00.000Z',
            actor: { type: 'SUBJECT' },
            notice: { contentHash: 'sha256:00' },
          }),
        ),
      ));

  it.each([
    ['NOT_COLLECTED', [], 'GRANTED', 'GRANTED'],
    ['NOT_COLLECTED', [], 'DENIED', 'DENIED'],
    ['NOT_COLLECTED', [], 'WITHDRAWN', 'WITHDRAWN'],
    ['GRANTED', [recorded()], 'GRANTED', 'GRANTED'],
    ['GRANTED', [recorded()], 'DENIED', 'WITHDRAWN'],
    ['GRANTED', [recorded()], 'WITHDRAWN', 'WITHDRAWN'],
    ['DENIED', [recorded({ decision: 'DENIED' })], 'GRANTED', 'GRANTED'],
    ['DENIED', [recorded({ decision: 'DENIED' })], 'DENIED', 'DENIED'],
    ['EXPIRED', [recorded({ expiresAt: '2026-11-10T00:00:00.000Z' })], 'DENIED', 'DENIED'],
    ['EXPIRED', [recorded({ expiresAt: '2026-11-10T00:00:00.000Z' })], 'GRANTED', 'GRANTED'],
  ] as const)('leads from %s by %#: %s to %s', (previousState, history, decision, state) =>
    given(...history)
      .when(command({ decision }))
      .then(only((data) => expect(data).toMatchObject({ previousState, state, appliedToState: true }))),
  );

  it.each(['LEGITIMATE_INTERESTS', 'CONTRACT'])('takes an objection only on legitimate interests: %s', (legalBasis) => {
    const asked = given().when({ ...command({ decision: 'OBJECTED' }), terms: { ...terms, legalBasis } });
    if (legalBasis === 'LEGITIMATE_INTERESTS') asked.then(only((data) => expect(data.state).toBe('OBJECTED')));
    else asked.refuses('decision_not_allowed');
  });
  it('takes an objection where silence means yes', () =>
    given()
      .when({ ...command({ decision: 'OBJECTED' }), terms: { ...terms, consentModel: 'OPT_OUT' } })
      .then(only((data) => expect(data.state).toBe('OBJECTED'))));
  it('takes an acknowledgement only of a notice', () => {
    given()
      .when(command({ decision: 'ACKNOWLEDGED' }))
      .refuses('decision_not_allowed');
    given()
      .when({ ...command({ decision: 'ACKNOWLEDGED' }), terms: { ...terms, consentModel: 'NOTICE_ONLY' } })
      .then(only((data) => expect(data.state).toBe('ACKNOWLEDGED')));
  });
  it('refuses an acknowledgement on a retired purpose', () =>
    given()
      .when({
        ...command({ decision: 'ACKNOWLEDGED' }),
        terms: { ...terms, consentModel: 'NOTICE_ONLY', retired: true },
      })
      .refuses('purpose_retired'));
  it('refuses a grant on a retired purpose, yet lets everybody withdraw for ever', () => {
    given()
      .when({ ...command(), terms: { ...terms, retired: true } })
      .refuses('purpose_retired');
    given(recorded())
      .when({ ...command({ decision: 'WITHDRAWN' }), terms: { ...terms, retired: true } })
      .then(only((data) => expect(data.state).toBe('WITHDRAWN')));
  });
});

describe('what is kept of a decision', () => {
  it('is everything that was said about it', () => {
    const said: Partial<RecordConsent> = {
      jurisdiction: { country: 'DE', source: 'DECLARED' } as never,
      collection: { method: 'TOGGLE', surface: 'BANNER' },
      signals: { gpc: true },
      actor: { type: 'GUARDIAN' },
      vendors: [{ id: '1', decision: 'GRANTED' }] as never,
      evidence: [{ type: 'DOCUMENT', sha256: 'aa' }],
      metadata: { campaign: 'x' },
    };
    given()
      .when(command(said))
      .then(only((data) => expect(data).toMatchObject(said)));
  });
  it('is nothing that was not said', () =>
    given()
      .when(command())
      .then(
        only((data) =>
          expect(Object.keys(data).sort()).toEqual([
            'actor',
            'appliedToState',
            'decision',
            'expiresAt',
            'givenAt',
            'notice',
            'previousState',
            'provenance',
            'purpose',
            'purposeVersion',
            'recordId',
            'recordedAt',
            'source',
            'state',
            'supersededBy',
          ]),
        ),
      ));
  it('has no address where none was sent', () =>
    given()
      .when(
        command({
          collection: { method: 'TOGGLE', surface: 'BANNER' },
          evidence: [{ type: 'DOCUMENT', sha256: 'aa' }],
        }),
      )
      .then(
        only((data) =>
          expect([data.collection, data.evidence]).toEqual([
            { method: 'TOGGLE', surface: 'BANNER' },
            [{ type: 'DOCUMENT', sha256: 'aa' }],
          ]),
        ),
      ));
});

describe('when a decision was given', () => {
  it('may lie five minutes ahead and no more', () => {
    given()
      .when(command({ givenAt: '2026-11-21T12:05:00.000Z' }))
      .then(() => undefined);
    given()
      .when(command({ givenAt: '2026-11-21T12:05:00.001Z' }))
      .refuses('timestamp_in_future');
  });
  it('may lie a day back for the subject and any time back for an import', () => {
    given()
      .when(command({ givenAt: '2026-11-20T12:00:00.000Z' }))
      .then(() => undefined);
    given()
      .when(command({ givenAt: '2026-11-20T11:59:59.999Z' }))
      .refuses('validation_failed');
    given()
      .when(command({ givenAt: '2011-01-01T00:00:00.000Z', source: 'IMPORT' }))
      .then(() => undefined);
  });
  it.each(['DENIED', 'WITHDRAWN'] as const)(
    'is that of the decision that stands where that was dated ahead and %s is said now, so that it stands',
    (decision) =>
      given(recorded({ givenAt: '2026-11-21T12:04:00.000Z' }))
        .when(command({ decision }))
        .then(
          only((data) =>
            expect(data).toMatchObject({
              appliedToState: true,
              state: 'WITHDRAWN',
              givenAt: '2026-11-21T12:04:00.000Z',
              recordedAt: NOW,
            }),
          ),
        ),
  );
  it.each([
    ['grants', { decision: 'GRANTED' }],
    ['refuses for a moment that it names', { decision: 'DENIED', givenAt: NOW }],
    ['is of an importer', { decision: 'DENIED', source: 'IMPORT' }],
  ] as const)('is now where a decision was dated ahead and one %s', (_, said) =>
    given(recorded({ givenAt: '2026-11-21T12:04:00.000Z', decision: 'DENIED' }))
      .when(command(said))
      .then(only((data) => expect(data).toMatchObject({ appliedToState: false, givenAt: NOW }))),
  );
  it('keeps a late import in history without moving the state', () =>
    given(recorded({ decision: 'DENIED' }))
      .when(command({ source: 'IMPORT', givenAt: '2025-01-01T00:00:00.000Z' }))
      .then(
        only((data) =>
          expect(data).toMatchObject({
            appliedToState: false,
            supersededBy: 'rec_1',
            previousState: 'DENIED',
            state: 'DENIED',
          }),
        ),
      ));
  it('lets a refusal beat a grant of the same instant, whichever came first', () => {
    const at = '2026-11-21T11:00:00.000Z';
    given(recorded({ decision: 'DENIED', givenAt: at }))
      .when(command({ givenAt: at }))
      .then(only((data) => expect(data).toMatchObject({ appliedToState: false, state: 'DENIED' })));
    given(recorded({ givenAt: at }))
      .when(command({ decision: 'DENIED', givenAt: at }))
      .then(only((data) => expect(data).toMatchObject({ appliedToState: true, state: 'WITHDRAWN' })));
  });
  it('prefers what the subject said over what was imported at the same instant', () => {
    const at = '2026-11-21T11:00:00.000Z';
    given(recorded({ givenAt: at }))
      .when(command({ source: 'MIGRATION', givenAt: at }))
      .then(only((data) => expect(data.appliedToState).toBe(false)));
    given(recorded({ givenAt: at, source: 'MIGRATION' }))
      .when(command({ source: 'IMPORT', givenAt: at }))
      .then(only((data) => expect(data.appliedToState).toBe(true)));
  });
});

describe('the end of a grant', () => {
  const france = { country: 'FR', source: 'DETECTED' } as const;
  const ENDS = '2027-05-20T12:00:00.000Z';

  it('is no later than the law of the place allows', () => {
    const unlimited = { ...terms, validityDays: null };
    const grant = (over: Partial<RecordConsent>) => ({
      ...command({ jurisdiction: france, ...over }),
      terms: unlimited,
    });
    given()
      .when(grant({}))
      .then(only((data) => expect(data.expiresAt).toBe(ENDS)));
    given()
      .when(grant({ expiresAt: ENDS }))
      .then(only((data) => expect(data.expiresAt).toBe(ENDS)));
    given()
      .when(grant({ expiresAt: '2027-05-20T12:00:00.001Z' }))
      .refuses('validation_failed');
    given()
      .when({ ...grant({}), terms: { ...terms, validityDays: 30 } })
      .then(only((data) => expect(data.expiresAt).toBe('2026-12-21T12:00:00.000Z')));
    given()
      .when(grant({ decision: 'DENIED' }))
      .then(only((data) => expect(data.expiresAt).toBeNull()));
  });

  it('is bound by the place of an earlier record where it names none, and by no law where none is known', () => {
    const unlimited = { ...terms, validityDays: null };
    given(recorded({ jurisdiction: france }))
      .when({ ...command(), terms: unlimited })
      .then(only((data) => expect(data.expiresAt).toBe(ENDS)));
    given()
      .when({ ...command(), terms: unlimited })
      .then(only((data) => expect(data.expiresAt).toBeNull()));
    given()
      .when({ ...command({ jurisdiction: { country: 'US', region: 'US-CA', source: 'DETECTED' } }), terms: unlimited })
      .then(only((data) => expect(data.expiresAt).toBeNull()));
  });

  it('is bound by what the site has made of the law, shorter or longer, since when it has', () => {
    const own = (consentValidityDays: number | null, effectiveFrom: string) => [
      {
        effectiveFrom,
        definition: { policies: [{ country: 'FR', changes: { consentValidityDays }, who: 'DPO', why: 'Advised.' }] },
      },
    ];
    const ends = (ownRules: ReturnType<typeof own>, expiresAt: string | null) =>
      given()
        .when({ ...command({ jurisdiction: france }), terms: { ...terms, validityDays: null, ownRules } })
        .then(only((data) => expect(data.expiresAt).toBe(expiresAt)));
    ends(own(90, NOW), '2027-02-19T12:00:00.000Z');
    ends(own(null, NOW), null);
    ends(own(90, '2026-11-21T12:00:00.001Z'), ENDS);
  });

  it('is bound by the own country of the subject where no record names a place', () => {
    const unlimited = { ...command(), terms: { ...terms, validityDays: null } };
    given()
      .when({ ...unlimited, country: 'FR' })
      .then(only((data) => expect(data.expiresAt).toBe(ENDS)));
    given()
      .when({ ...unlimited, country: 'FR', expiresAt: '2027-05-20T12:00:00.001Z' })
      .refuses('validation_failed');
    given(recorded({ jurisdiction: { country: 'US', source: 'DETECTED' } }))
      .when({ ...unlimited, country: 'FR' })
      .then(only((data) => expect(data.expiresAt).toBeNull()));
    given()
      .when({ ...unlimited, country: 'FR', jurisdiction: { country: 'US', source: 'DETECTED' } })
      .then(only((data) => expect(data.expiresAt).toBeNull()));
  });

  it('is that of the strictest rule where the place is one of which no rule is known', () => {
    for (const country of ['EU', 'ZW'])
      given()
        .when({
          ...command({ jurisdiction: { country, source: 'DECLARED' } }),
          terms: { ...terms, validityDays: null },
        })
        .then(only((data) => expect(data.expiresAt).toBe(ENDS)));
  });

  it('is no later than the purpose allows', () => {
    given()
      .when(command({ expiresAt: '2027-11-21T12:00:00.000Z' }))
      .then(only((data) => expect(data.expiresAt).toBe('2027-11-21T12:00:00.000Z')));
    given()
      .when(command({ expiresAt: '2027-11-21T12:00:00.001Z' }))
      .refuses('validation_failed');
    given()
      .when({ ...command({ expiresAt: '2099-01-01T00:00:00.000Z' }), terms: { ...terms, validityDays: null } })
      .then(() => undefined);
  });
  it('is that of the purpose for an acknowledgement too, or an earlier one that is named', () => {
    const notice: Terms = { ...terms, consentModel: 'NOTICE_ONLY' };
    given()
      .when({ ...command({ decision: 'ACKNOWLEDGED' }), terms: notice })
      .then(only((data) => expect(data.expiresAt).toBe('2027-11-21T12:00:00.000Z')));
    given()
      .when({ ...command({ decision: 'ACKNOWLEDGED', expiresAt: '2026-12-01T00:00:00.000Z' }), terms: notice })
      .then(only((data) => expect(data.expiresAt).toBe('2026-12-01T00:00:00.000Z')));
    given()
      .when({ ...command(), terms: { ...terms, validityDays: null } })
      .then(only((data) => expect(data.expiresAt).toBeNull()));
  });
  it('lies after its beginning', () =>
    given()
      .when(command({ expiresAt: NOW }))
      .refuses('validation_failed'));
  it('does not exist for a refusal', () => {
    given()
      .when(command({ decision: 'DENIED', expiresAt: '2027-01-01T00:00:00.000Z' }))
      .refuses('validation_failed');
    given()
      .when(command({ decision: 'DENIED' }))
      .then(only((data) => expect(data.expiresAt).toBeNull()));
  });
  it('is said once in the log, and not at all where the grant was renewed', () => {
    const ended = consentFold.evolve(consentFold.initial(), recorded({ expiresAt: '2026-11-10T00:00:00.000Z' }));
    const said = expireConsent('analytics', ended, NOW);
    expect(said).toEqual({
      refused: false,
      events: [
        {
          type: 'ConsentExpired',
          data: { recordId: 'rec_1', purpose: 'analytics', expiredAt: '2026-11-10T00:00:00.000Z' },
        },
      ],
    });
    const after = consentFold.evolve(ended, (said as { events: ConsentEvent[] }).events[0]!);
    expect(expireConsent('analytics', after, NOW)).toEqual({ refused: false, events: [] });
    const renewed = consentFold.evolve(ended, recorded({ recordId: 'rec_3', givenAt: NOW, expiresAt: null }));
    expect(expireConsent('analytics', renewed, NOW)).toEqual({ refused: false, events: [] });
    expect(consentFold.evolve(renewed, (said as { events: ConsentEvent[] }).events[0]!)).toBe(renewed);
  });
});

describe('data minimisation', () => {
  it.each([
    ['https://shop.example/checkout?email=a@b.example#step', 'https://shop.example/checkout'],
    ['https://user:secret@shop.example/', 'https://shop.example/'],
    ['app://screen/settings?id=7', 'app://screen/settings'],
    ['urn:isbn:123?x', 'urn:isbn:123'],
    ['no address', ''],
  ])('keeps of %s only %s', (url, kept) => expect(originAndPath(url)).toBe(kept));
  it('drops the query of the page and of documents', () =>
    given()
      .when(
        command({
          collection: { method: 'TOGGLE', surface: 'BANNER', url: 'https://shop.example/a?b=c' },
          evidence: [{ type: 'DOCUMENT', sha256: 'aa', uri: 'https://archive.example/1?token=x' }],
        }),
      )
      .then(
        only((data) =>
          expect([data.collection!.url, data.evidence![0]!.uri]).toEqual([
            'https://shop.example/a',
            'https://archive.example/1',
          ]),
        ),
      ));
});

describe('what is wrong at sight', () => {
  it('is found without any history', () =>
    expect(checkRecord(command({ decision: 'OBJECTED' }), terms, NOW)?.code).toBe('decision_not_allowed'));
  it('is null for a sound request', () => expect(checkRecord(command(), terms, NOW)).toBeNull());
});
