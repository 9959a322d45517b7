import { describe, expect, it } from '@jest/globals';
import { SubjectTimeline } from '../../context/subject-timeline.js';
import { subjectDisplays } from './displays.js';
import type { SubjectsMerged, SubjectMergeReverted } from '../events.js';

const [ADA, VISITOR, BOB] = ['sub_ada', 'sub_visitor', 'sub_bob'] as const;
const timeline = new SubjectTimeline([{ displays: subjectDisplays }]);

describe('the archive of a subject', () => {
  it('shows of a merge who belongs to the subject now, and nothing of what the merge carried', () => {
    const merged: SubjectsMerged = {
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
    const shown = { mergeId: 'mrg_1', at: '2026-11-21T12:00:00.000Z' };
    expect(timeline.ownOf(merged, [ADA, VISITOR])).toEqual({ ...shown, subjects: [ADA] });
    expect(timeline.ownOf(merged, [ADA, BOB])).toEqual({ ...shown, subjects: [ADA, BOB] });
  });

  it('shows the same of a merge that was taken back', () => {
    const reverted: SubjectMergeReverted = {
      type: 'SubjectMergeReverted',
      data: {
        mergeId: 'mrg_1',
        role: 'SURVIVOR',
        survivorId: ADA,
        absorbedIds: [VISITOR, BOB],
        revertedAt: '2026-11-22T12:00:00.000Z',
        cause: 'REVERTED',
        restored: { consent: {} },
      },
    };
    const shown = { mergeId: 'mrg_1', subjects: [ADA], at: '2026-11-22T12:00:00.000Z' };
    expect(timeline.ownOf(reverted, [ADA])).toEqual(shown);
  });

  it('shows everything else whole', () => {
    const data = { restrictedAt: '2026-11-22T12:00:00.000Z', until: null };
    expect(timeline.ownOf({ type: 'SubjectRestricted', data }, [ADA])).toBe(data);
  });
});
