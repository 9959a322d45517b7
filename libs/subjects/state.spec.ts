import { fold } from '../kernel/index.js';
import type { IdentifierAddedData, SubjectEvent, SubjectsMergedData } from './events.js';
import { ON_ITS_OWN } from './standing.js';
import { initialSubject, subjectFold, type SubjectState } from './state.js';

const at = (day: number): string => `2026-11-${String(day).padStart(2, '0')}T00:00:00.000Z`;
const created: SubjectEvent = { type: 'SubjectCreated', data: { subjectId: 'sub_1', createdAt: at(1) } };
const identifier = (identifierId: string, more: Partial<IdentifierAddedData> = {}): SubjectEvent => ({
  type: 'IdentifierAdded',
  data: {
    identifierId,
    kind: 'user_id',
    value: 'u',
    addedAt: at(2),
    verifiedAt: null,
    verificationMethod: null,
    primary: true,
    source: 'API',
    ...more,
  },
});
const verified = (identifierId: string, day: number): SubjectEvent => ({
  type: 'IdentifierVerified',
  data: { identifierId, method: 'OPERATOR', verifiedAt: at(day) },
});
const held = (until: string | null): SubjectEvent => ({
  type: 'SubjectRestricted',
  data: { restrictedAt: at(3), until },
});
const lifted: SubjectEvent = { type: 'SubjectRestrictionLifted', data: { liftedAt: at(4) } };
const merged = (more: Partial<SubjectsMergedData> = {}): SubjectEvent => ({
  type: 'SubjectsMerged',
  data: {
    mergeId: 'mrg_1',
    role: 'SURVIVOR',
    survivorId: 'sub_1',
    absorbedId: 'sub_2',
    policy: 'MOST_RECENT',
    carryOver: null,
    mergedAt: at(5),
    ...more,
  },
});
const reverted = (restored?: Record<string, unknown>): SubjectEvent => ({
  type: 'SubjectMergeReverted',
  data: {
    mergeId: 'mrg_1',
    role: 'SURVIVOR',
    survivorId: 'sub_1',
    absorbedIds: ['sub_2'],
    revertedAt: at(6),
    cause: 'REVERTED',
    ...(restored && { restored }),
  },
});
const erased: SubjectEvent = {
  type: 'SubjectErased',
  data: { receiptId: 'rct_1', rootId: 'sub_1', erasedTogether: [], erasedAt: at(7), reason: 'OTHER', issuer: '' },
};
const after = (...events: SubjectEvent[]): SubjectState => fold(subjectFold, events);

describe('the fold of a subject', () => {
  it('begins with nothing, and takes what its creation says', () => {
    expect(initialSubject()).toEqual({
      createdAt: null,
      updatedAt: null,
      locale: null,
      country: null,
      metadata: {},
      identifiers: [],
      restriction: null,
    });
    expect(after(created)).toEqual({ ...initialSubject(), createdAt: at(1), updatedAt: at(1) });
  });

  it('adds an identifier once, and verifies the one that is meant, once', () => {
    const once = after(created, identifier('idn_1'), identifier('idn_2'));
    expect(once.updatedAt).toBe(at(2));
    expect(subjectFold.evolve(once, identifier('idn_1', { addedAt: at(9) }))).toBe(once);
    const state = after(created, identifier('idn_1'), identifier('idn_2'), verified('idn_2', 3), verified('idn_2', 4));
    expect(state.identifiers.map((each) => [each.identifierId, each.verifiedAt, each.verificationMethod])).toEqual([
      ['idn_1', null, null],
      ['idn_2', at(3), 'OPERATOR'],
    ]);
    expect(state.updatedAt).toBe(at(4));
  });

  it('knows a hold until it is lifted', () => {
    expect(after(created, held(at(9)))).toMatchObject({
      restriction: { since: at(3), until: at(9) },
      updatedAt: at(3),
    });
    expect(after(created, held(null), lifted)).toMatchObject({ restriction: null, updatedAt: at(4) });
  });

  it('takes over the hold of whom it absorbs, and gives it back with a revert', () => {
    const theirs = { restriction: { since: at(2), until: null } };
    const together = after(created, held(at(9)), merged({ absorbed: { subject: theirs }, family: ['sub_2'] }));
    expect(together).toMatchObject({ ...theirs, updatedAt: at(5) });
    expect(together.standing!.absorbed).toEqual([{ mergeId: 'mrg_1', subjectId: 'sub_2', family: ['sub_2'] }]);
    const ours = { restriction: { since: at(3), until: at(9) } };
    const apart = subjectFold.evolve(together, reverted({ subject: ours }));
    expect(apart).toMatchObject({ ...ours, updatedAt: at(6) });
    expect(apart.standing).toEqual({ ...ON_ITS_OWN, reverted: ['mrg_1'] });
    expect(subjectFold.evolve(together, reverted()).restriction).toEqual(theirs.restriction);
    expect(subjectFold.evolve(together, reverted({})).restriction).toEqual(theirs.restriction);
    expect(after(created, held(at(9)), merged()).restriction).toEqual(ours.restriction);
  });

  it('holds of two equal ends the own one', () => {
    const until = at(9);
    const together = after(
      created,
      held(until),
      merged({ absorbed: { subject: { restriction: { since: at(1), until } } } }),
    );
    expect(together.restriction).toEqual({ since: at(3), until });
  });

  it('is part of its survivor, until the merge is reverted', () => {
    const closed = after(created, merged({ role: 'ABSORBED', survivorId: 'sub_9', absorbedId: 'sub_1' }));
    expect(closed.standing).toEqual({
      ...ON_ITS_OWN,
      merged: { into: 'sub_9', mergeId: 'mrg_1', policy: 'MOST_RECENT', carryOver: null, mergedAt: at(5) },
    });
    const opened = (cause: 'REVERTED' | 'VOID') =>
      subjectFold.evolve(closed, {
        type: 'SubjectMergeReverted',
        data: {
          mergeId: 'mrg_1',
          role: 'ABSORBED',
          survivorId: 'sub_9',
          absorbedIds: ['sub_1'],
          revertedAt: at(6),
          cause,
        },
      }).standing;
    expect(opened('REVERTED')).toEqual({ ...ON_ITS_OWN, formerly: ['sub_9'] });
    // A merge that gave way never was: nothing stands on its survivor.
    expect(opened('VOID')).toEqual(ON_ITS_OWN);
  });

  it('remembers a merge that is never to arrive, and reverts no other one', () => {
    const standing = after(
      created,
      merged({ mergeId: 'mrg_0', absorbedId: 'sub_0', family: ['sub_0', 'sub_00'] }),
      merged({ absorbed: {} }),
      {
        type: 'SubjectMergeReverted',
        data: {
          mergeId: 'mrg_2',
          role: 'SURVIVOR',
          survivorId: 'sub_1',
          absorbedIds: ['sub_3'],
          revertedAt: at(6),
          cause: 'VOID',
        },
      },
      reverted(),
    ).standing!;
    expect(standing).toEqual({
      ...ON_ITS_OWN,
      absorbed: [{ mergeId: 'mrg_0', subjectId: 'sub_0', family: ['sub_0', 'sub_00'] }],
      reverted: ['mrg_1'],
      declined: [{ mergeId: 'mrg_2', subjectId: 'sub_3' }],
    });
  });

  it('keeps of an erased subject when it was made and ended, and nothing else', () =>
    expect(after(created, identifier('idn_1'), held(null), merged(), erased)).toEqual({
      ...initialSubject(),
      createdAt: at(1),
      updatedAt: at(7),
      standing: { ...ON_ITS_OWN, absorbed: [{ mergeId: 'mrg_1', subjectId: 'sub_2', family: [] }], erasedAt: at(7) },
    }));
});
