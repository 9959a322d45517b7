import { fold } from '../kernel/index.js';
import { ON_ITS_OWN } from '../subjects/standing.js';
import type { Collection, ConsentRecordedData } from './events.js';
import {
  consentFold,
  decisionOn,
  expiryInstants,
  initialConsent,
  isRefusing,
  stateAt,
  supersedes,
  transition,
  type ConsentState,
  type FoldedByConsent,
  type PurposeConsent,
} from './state.js';

const at = (day: number): string => `2026-11-${String(day).padStart(2, '0')}T00:00:00.000Z`;

const recorded = (day: number, more: Partial<ConsentRecordedData> = {}): FoldedByConsent => ({
  type: 'ConsentRecorded',
  data: {
    recordId: `rec_${day}`,
    purpose: 'ads',
    purposeVersion: 2,
    decision: 'GRANTED',
    previousState: 'NOT_COLLECTED',
    state: 'GRANTED',
    appliedToState: true,
    supersededBy: null,
    source: 'API',
    givenAt: at(day),
    recordedAt: at(day + 1),
    expiresAt: null,
    actor: { type: 'SUBJECT' },
    notice: { locale: 'en', contentHash: '' },
    provenance: { keyId: 'k' },
    ...more,
  },
});
const expired = (day: number, recordId: string, purpose = 'ads'): FoldedByConsent => ({
  type: 'ConsentExpired',
  data: { recordId, purpose, expiredAt: at(day) },
});
const after = (...events: FoldedByConsent[]): ConsentState => fold(consentFold, events);

const created = (country?: string): FoldedByConsent => ({
  type: 'SubjectCreated',
  data: { subjectId: 'sub_1', createdAt: at(1), ...(country && { country }) },
});

describe('the country of a subject', () => {
  it('is kept as it was told, through decisions, merges and their reverts, until the erasure', () => {
    expect(after(created())).toEqual({ purposes: {}, gpc: null });
    const known = after(created('AT'), recorded(2));
    expect(known.ownCountry).toBe('AT');
    const merge = { mergeId: 'mrg_1', survivorId: 'sub_1', absorbedId: 'sub_2', role: 'SURVIVOR' } as const;
    const rule = { policy: 'MOST_RESTRICTIVE', carryOver: null, mergedAt: at(3) } as const;
    const absorbed = { consent: after(created('US'), recorded(1)) };
    const merged = consentFold.evolve(known, { type: 'SubjectsMerged', data: { ...merge, ...rule, absorbed } });
    expect(merged.ownCountry).toBe('AT');
    const reverted = consentFold.evolve(merged, {
      type: 'SubjectMergeReverted',
      data: {
        ...merge,
        absorbedIds: ['sub_2'],
        revertedAt: at(4),
        cause: 'REVERTED',
        restored: { consent: { purposes: {}, gpc: null } },
      },
    });
    expect(reverted).toMatchObject({ purposes: {}, ownCountry: 'AT' });
    const erased = { receiptId: 'rct_1', rootId: 'sub_1', erasedTogether: [], erasedAt: at(5), issuer: 'http://a' };
    expect(
      consentFold.evolve(known, { type: 'SubjectErased', data: { ...erased, reason: 'OTHER' } }).ownCountry,
    ).toBeUndefined();
  });

  it('holds of what is older than the subject', () =>
    expect(consentFold.givenAt(created('AT') as never) < at(1)).toBe(true));
});

describe('the fold of consent', () => {
  it('keeps of a decision what it is weighed by', () =>
    expect(after(recorded(1, { source: 'IMPORT', expiresAt: at(20) }))).toEqual({
      purposes: {
        ads: {
          state: 'GRANTED',
          recordId: 'rec_1',
          decision: 'GRANTED',
          purposeVersion: 2,
          source: 'IMPORT',
          givenAt: at(1),
          recordedAt: at(2),
          expiresAt: at(20),
          specific: true,
        },
      },
      gpc: null,
    }));

  it.each<[Collection['method'], boolean]>([
    ['TOGGLE', true],
    ['ACCEPT_ALL', false],
  ])('tells whether it was about this very purpose: %s %p', (method, specific) =>
    expect(after(recorded(1, { collection: { method, surface: 'BANNER' } })).purposes['ads']!.specific).toBe(specific),
  );

  it('makes a refusal after a grant a withdrawal, as of when it was given', () => {
    const refused = { decision: 'DENIED' } as const;
    expect(after(recorded(1), recorded(3, refused)).purposes['ads']!.state).toBe('WITHDRAWN');
    expect(after(recorded(1, { expiresAt: at(3) }), recorded(3, refused)).purposes['ads']!.state).toBe('DENIED');
    expect(after(recorded(1, { expiresAt: at(4) }), recorded(3, refused)).purposes['ads']!.state).toBe('WITHDRAWN');
    expect([transition('DENIED', 'DENIED'), transition('GRANTED', 'OBJECTED')]).toEqual(['DENIED', 'OBJECTED']);
  });

  it('leaves what stands where something older comes later', () => {
    const before = after(recorded(3));
    expect(consentFold.evolve(before, recorded(1, { decision: 'DENIED' }))).toBe(before);
  });

  it('ends a grant by its own record only', () => {
    const before = after(recorded(1, { expiresAt: at(5) }));
    expect(consentFold.evolve(before, expired(5, 'rec_1')).purposes['ads']).toEqual({
      ...before.purposes['ads'],
      state: 'EXPIRED',
    });
    expect(consentFold.evolve(before, expired(5, 'rec_9'))).toBe(before);
    expect(consentFold.evolve(before, expired(5, 'rec_1', 'constructor'))).toBe(before);
  });
});

describe('the signal of a browser', () => {
  const signal = (day: number, gpc: boolean, more: Partial<ConsentRecordedData> = {}): FoldedByConsent =>
    recorded(day, { signals: { gpc }, ...more });

  it('is known since it was first heard, until it is heard otherwise', () => {
    expect(after(signal(1, true)).gpc).toEqual({ active: true, since: at(1) });
    expect(after(signal(1, true), signal(2, true)).gpc).toEqual({ active: true, since: at(1) });
    expect(after(signal(1, true), signal(2, false)).gpc).toEqual({ active: false, since: at(2) });
    expect(after(signal(1, false), signal(2, true)).gpc).toEqual({ active: true, since: at(2) });
    expect(after(signal(1, true), recorded(2)).gpc).toEqual({ active: true, since: at(1) });
    expect(after(recorded(1)).gpc).toBeNull();
  });

  it('is not changed by what was heard before it', () => {
    expect(after(signal(3, true), signal(1, false)).gpc).toEqual({ active: true, since: at(3) });
    expect(after(signal(3, true), signal(3, false)).gpc).toEqual({ active: false, since: at(3) });
  });

  it('is heard with a decision that changes nothing', () => {
    const state = after(recorded(5), signal(2, true, { decision: 'DENIED' }));
    expect([state.purposes['ads']!.recordId, state.gpc]).toEqual(['rec_5', { active: true, since: at(2) }]);
  });
});

describe('what happens to a subject as a whole', () => {
  const rule = { mergeId: 'mrg_1', survivorId: 's', absorbedId: 'a', policy: 'MOST_RECENT', carryOver: null } as const;
  const merged = (absorbed?: Record<string, unknown>): FoldedByConsent => ({
    type: 'SubjectsMerged',
    data: { ...rule, role: 'SURVIVOR', mergedAt: at(6), ...(absorbed && { absorbed }) },
  });
  const reverted = (restored?: Record<string, unknown>): FoldedByConsent => ({
    type: 'SubjectMergeReverted',
    data: {
      mergeId: 'mrg_1',
      role: 'SURVIVOR',
      survivorId: 's',
      absorbedIds: ['a'],
      revertedAt: at(7),
      cause: 'REVERTED',
      ...(restored && { restored }),
    },
  });

  it('brings what an absorbed subject had, and takes it away again', () => {
    const own = after(recorded(1));
    const together = consentFold.evolve(own, merged({ consent: after(recorded(2, { decision: 'DENIED' })) }));
    expect(together.purposes['ads']!.recordId).toBe('rec_2');
    expect(together.standing!.absorbed).toHaveLength(1);
    expect(consentFold.evolve(together, reverted({ consent: own }))).toEqual({
      ...own,
      standing: { ...ON_ITS_OWN, reverted: ['mrg_1'] },
    });
  });

  it('changes only where the subject stands, where nothing was carried or restored', () => {
    const before = after(recorded(1));
    for (const event of [merged(), merged({}), reverted(), reverted({})]) {
      const { standing, ...rest } = consentFold.evolve(before, event);
      expect(rest).toEqual(before);
      expect(standing).not.toEqual(ON_ITS_OWN);
    }
  });

  it('leaves nothing after an erasure', () =>
    expect(
      after(recorded(1), {
        type: 'SubjectErased',
        data: { receiptId: 'r', rootId: 's', erasedTogether: [], erasedAt: at(8), reason: 'OTHER', issuer: '' },
      }),
    ).toEqual({ ...initialConsent(), standing: { ...ON_ITS_OWN, erasedAt: at(8) } }));
});

describe('when what an event says was given', () => {
  it('is when it was decided, or ran out', () =>
    expect([recorded(2), expired(5, 'rec_2')].map((event) => consentFold.givenAt(event as never))).toEqual([
      at(2),
      at(5),
    ]));
});

describe('the decision that stands', () => {
  const consent = (more: Partial<PurposeConsent> = {}): PurposeConsent => ({
    state: 'GRANTED',
    recordId: 'rec_1',
    decision: 'GRANTED',
    purposeVersion: 1,
    source: 'IMPORT',
    givenAt: at(3),
    recordedAt: at(3),
    expiresAt: null,
    specific: true,
    ...more,
  });

  it.each<[string, Parameters<typeof supersedes>[0], PurposeConsent | undefined, boolean]>([
    ['the first', { givenAt: at(1), decision: 'GRANTED', source: 'MIGRATION' }, undefined, true],
    ['the later', { givenAt: at(4), decision: 'GRANTED', source: 'MIGRATION' }, consent({ decision: 'DENIED' }), true],
    ['not the earlier', { givenAt: at(2), decision: 'DENIED', source: 'API' }, consent(), false],
    ['a withdrawal of two at once', { givenAt: at(3), decision: 'WITHDRAWN', source: 'MIGRATION' }, consent(), true],
    ['an objection of two at once', { givenAt: at(3), decision: 'OBJECTED', source: 'MIGRATION' }, consent(), true],
    ['not the grant', { givenAt: at(3), decision: 'GRANTED', source: 'API' }, consent({ decision: 'OBJECTED' }), false],
    [
      'the later in the stream of two alike',
      { givenAt: at(3), decision: 'GRANTED', source: 'IMPORT' },
      consent(),
      true,
    ],
    ['not one of a lower rank', { givenAt: at(3), decision: 'GRANTED', source: 'MIGRATION' }, consent(), false],
  ])('is %s', (_, next, current, stands) => expect(supersedes(next, current)).toBe(stands));

  it('is found under its own purpose only', () => expect(decisionOn(initialConsent(), 'constructor')).toBeUndefined());

  it('refuses in three ways', () =>
    expect((['GRANTED', 'DENIED', 'WITHDRAWN', 'OBJECTED', 'ACKNOWLEDGED'] as const).map(isRefusing)).toEqual([
      false,
      true,
      true,
      true,
      false,
    ]));

  it('ends by the clock where it is a grant or an acknowledgement with an end', () => {
    const states = (day: number) =>
      [
        consent(),
        consent({ expiresAt: at(9) }),
        consent({ state: 'ACKNOWLEDGED', expiresAt: at(9) }),
        consent({ state: 'WITHDRAWN', expiresAt: at(9) }),
        undefined,
      ].map((each) => stateAt(each, at(day)));
    expect(states(8)).toEqual(['GRANTED', 'GRANTED', 'ACKNOWLEDGED', 'WITHDRAWN', 'NOT_COLLECTED']);
    expect(states(9)).toEqual(['GRANTED', 'EXPIRED', 'EXPIRED', 'WITHDRAWN', 'NOT_COLLECTED']);
  });

  it('ends at moments that can be told beforehand, the next one first', () =>
    expect(
      expiryInstants({
        gpc: null,
        purposes: {
          a: consent({ expiresAt: at(9) }),
          b: consent({ expiresAt: at(5), state: 'ACKNOWLEDGED' }),
          c: consent({ expiresAt: at(4), state: 'EXPIRED' }),
          d: consent(),
        },
      }),
    ).toEqual([at(5), at(9)]));
});

describe('where a subject was', () => {
  const there = (day: number, country: string, more: Partial<ConsentRecordedData> = {}): FoldedByConsent =>
    recorded(day, { jurisdiction: { country, source: 'DETECTED' }, ...more });
  const place = (...events: FoldedByConsent[]) => fold(consentFold, events).place;

  it('is said by the newest record that names a place, as it was given', () => {
    expect(place(recorded(3))).toBeUndefined();
    expect(place(there(3, 'DE'), recorded(4))).toEqual({ country: 'DE', since: at(3) });
    expect(place(there(4, 'DE'), there(3, 'FR', { source: 'IMPORT' }))).toEqual({ country: 'DE', since: at(4) });
    const region = { jurisdiction: { country: 'US', region: 'US-CA', source: 'DECLARED' } } as const;
    expect(place(there(4, 'DE'), recorded(4, region))).toEqual({ country: 'US', region: 'US-CA', since: at(4) });
  });

  it('is forgotten with the subject', () =>
    expect(
      place(there(3, 'DE'), {
        type: 'SubjectErased',
        data: { erasedAt: at(5), reason: 'REQUEST' },
      } as unknown as FoldedByConsent),
    ).toBeUndefined());
});
