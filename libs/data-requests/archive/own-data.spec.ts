import type { PersonEvent } from '../../subject-archive/index.js';
import type { SubjectMergeRevertedData } from '../../subjects/index.js';
import { ownData, ownReader, ownRequest } from './own-data.js';

const [ADA, VISITOR, BOB] = ['sub_ada', 'sub_visitor', 'sub_bob'] as const;

describe('what an archive tells', () => {
  it('of a merge: who belongs to the subject now, and nothing of what the merge carried', () => {
    const merged: PersonEvent = {
      type: 'SubjectsMerged',
      data: {
        mergeId: 'mrg_1',
        role: 'SURVIVOR',
        survivorId: ADA,
        absorbedId: BOB,
        policy: 'MOST_RESTRICTIVE',
        carryOver: null,
        mergedAt: '2026-11-21T12:00:00.000Z',
        reason: 'Bob called',
        absorbed: { consent: { ads: 'GRANTED' } },
      },
    };
    const told = { mergeId: 'mrg_1', at: '2026-11-21T12:00:00.000Z' };
    expect(ownData(merged, [ADA, VISITOR])).toEqual({ ...told, subjects: [ADA] });
    expect(ownData(merged, [ADA, BOB])).toEqual({ ...told, subjects: [ADA, BOB] });
  });

  it('of a merge that was taken back, the same', () => {
    const data: SubjectMergeRevertedData = {
      mergeId: 'mrg_1',
      role: 'SURVIVOR',
      survivorId: ADA,
      absorbedIds: [VISITOR, BOB],
      revertedAt: '2026-11-22T12:00:00.000Z',
      cause: 'REVERTED',
      restored: { consent: {} },
    };
    expect(ownData({ type: 'SubjectMergeReverted', data }, [ADA])).toEqual({
      mergeId: 'mrg_1',
      subjects: [ADA],
      at: '2026-11-22T12:00:00.000Z',
    });
  });

  it('of everything else: all of it', () => {
    const data = { recordId: 'rec_1', purpose: 'ads', expiredAt: '2026-11-22T12:00:00.000Z' };
    expect(ownData({ type: 'ConsentExpired', data }, [ADA])).toBe(data);
  });

  it('of readers: keys by their id, operators without their names', () => {
    expect(['key_tp8NDu2dlWM1', 'operator:ann@desk'].map(ownReader)).toEqual(['key_tp8NDu2dlWM1', 'operator']);
  });

  it('of a request: all but notes', () => {
    expect(ownRequest({ id: 'dsr_1', note: 'rude' } as never)).toEqual({ id: 'dsr_1' });
  });
});
