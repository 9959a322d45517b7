import { fold } from '../kernel/index.js';
import type { IdentifierAddedData, SubjectEvent } from './events.js';
import { subjectFold, type SubjectState } from './state.js';
import { subjectView } from './view.js';

const AT = '2026-11-21T12:00:00.000Z';
const BEFORE = '2026-11-01T00:00:00.000Z';
const SOON = '2026-12-01T00:00:00.000Z';
const LATER = '2026-12-02T00:00:00.000Z';

const created: SubjectEvent = {
  type: 'SubjectCreated',
  data: { subjectId: 'sub_1', createdAt: BEFORE, locale: 'de', country: 'DE', metadata: { plan: 'pro' } },
};
const identifier = (identifierId: string, more: Partial<IdentifierAddedData> = {}): IdentifierAddedData => ({
  identifierId,
  kind: 'email',
  value: `${identifierId}@example.org`,
  addedAt: AT,
  verifiedAt: null,
  verificationMethod: null,
  primary: true,
  source: 'API',
  ...more,
});
const added = (data: IdentifierAddedData): SubjectEvent => ({ type: 'IdentifierAdded', data });
const held = (until: string | null): SubjectEvent => ({ type: 'SubjectRestricted', data: { restrictedAt: AT, until } });
const merged: SubjectEvent = {
  type: 'SubjectsMerged',
  data: {
    mergeId: 'mrg_1',
    role: 'ABSORBED',
    survivorId: 'sub_2',
    absorbedId: 'sub_1',
    policy: 'MOST_RECENT',
    carryOver: null,
    mergedAt: AT,
  },
};
const erased: SubjectEvent = {
  type: 'SubjectErased',
  data: { receiptId: 'rct_1', rootId: 'sub_1', erasedTogether: [], erasedAt: SOON, reason: 'OTHER', issuer: '' },
};
const after = (...events: SubjectEvent[]): SubjectState => fold(subjectFold, events);

describe('a subject as it is shown', () => {
  it('is all that is known of it', () =>
    expect(
      subjectView(
        'sub_1',
        after(created, added(identifier('idn_1', { verifiedAt: SOON, verificationMethod: 'OPERATOR' }))),
        [],
        AT,
      ),
    ).toEqual({
      id: 'sub_1',
      object: 'subject',
      state: 'ACTIVE',
      mergedInto: null,
      identifiers: [
        {
          id: 'idn_1',
          kind: 'email',
          value: 'idn_1@example.org',
          verified: true,
          verifiedAt: SOON,
          verificationMethod: 'OPERATOR',
          primary: true,
          source: 'API',
          addedAt: AT,
        },
      ],
      locale: 'de',
      country: 'DE',
      metadata: { plan: 'pro' },
      restrictedUntil: null,
      createdAt: BEFORE,
      updatedAt: AT,
    }));

  it.each<[string, SubjectEvent[], string, string, string | null]>([
    ['it was created', [created], AT, 'ACTIVE', null],
    ['it is held', [created, held(SOON)], AT, 'RESTRICTED', SOON],
    ['its hold has ended', [created, held(SOON)], SOON, 'ACTIVE', null],
    ['it is held without an end', [created, held(null)], LATER, 'RESTRICTED', null],
    ['it was merged', [created, held(SOON), merged], AT, 'MERGED', SOON],
    ['it was erased', [created, merged, erased], AT, 'ERASED', null],
  ])('says where it stands once %s', (_, events, at, name, until) => {
    const view = subjectView('sub_1', after(...events), [], at);
    expect([view.state, view.restrictedUntil]).toEqual([name, until]);
  });

  it('names the one that it was merged into', () =>
    expect(subjectView('sub_1', after(created, merged), [], AT).mergedInto).toBe('sub_2'));

  it('has one primary identifier of each kind, those of absorbed subjects behind its own', () =>
    expect(
      subjectView(
        'sub_1',
        after(
          created,
          added(identifier('idn_1')),
          added(identifier('idn_2')),
          added(identifier('idn_3', { kind: 'phone' })),
        ),
        [identifier('idn_4'), identifier('idn_5', { kind: 'user_id' })],
        AT,
      ).identifiers.map(({ id, primary }) => [id, primary]),
    ).toEqual([
      ['idn_1', true],
      ['idn_2', false],
      ['idn_3', true],
      ['idn_4', false],
      ['idn_5', true],
    ]));

  it('shows no value of an identifier that is sealed or forgotten', () =>
    expect(
      subjectView(
        'sub_1',
        after(created, added(identifier('idn_1', { value: { $sealed: 'x', at: 'value', of: 'sub_1' } as never }))),
        [],
        AT,
      ).identifiers[0],
    ).toMatchObject({ value: null, verified: false, verifiedAt: null, verificationMethod: null }));
});
