import { defineJournal } from '../../context/journal.js';
import type { BatchCompleted, IdentifiersRevealed, SubjectEvent } from '../events.js';

const subject = (id: string | null) => ({ type: 'SUBJECT', id }) as const;

export const subjectJournal = defineJournal<SubjectEvent | IdentifiersRevealed | BatchCompleted>({
  SubjectCreated: ({ subjectId }) => ({ target: subject(subjectId), summary: 'Person seen for the first time' }),
  IdentifierAdded: ({ identifierId, kind }, { subjectId }) => ({
    target: subject(subjectId),
    summary: 'Identifier added',
    after: { identifierId, kind },
  }),
  IdentifierVerified: ({ identifierId, method }, { subjectId }) => ({
    target: subject(subjectId),
    summary: 'Identifier verified',
    after: { identifierId, method },
  }),
  SubjectRectified: ({ removed = [] }, { subjectId }) => ({
    target: subject(subjectId),
    summary: 'What is known of a person put right',
    before: removed.length === 0 ? null : { identifiers: removed },
  }),
  // The stream that a merge closes says who asked for it; the one at the survivor follows by itself.
  SubjectsMerged: ({ role, mergeId, survivorId, absorbedId }) =>
    role === 'SURVIVOR'
      ? null
      : { target: subject(survivorId), summary: 'Two persons became one', after: { mergeId, absorbedId } },
  SubjectMergeReverted: ({ role, mergeId, survivorId, absorbedIds }) =>
    role === 'ABSORBED'
      ? null
      : { target: subject(survivorId), summary: 'A merge was reverted', after: { mergeId, absorbedIds } },
  // Those that were erased together are named once, at the one that was asked for.
  SubjectErased: ({ rootId, receiptId, erasedTogether, reason }, { subjectId }) =>
    subjectId !== rootId
      ? null
      : { target: subject(rootId), summary: 'Person erased', reason, after: { receiptId, erasedTogether } },
  SubjectRestricted: ({ until }, { subjectId }) => ({
    target: subject(subjectId),
    summary: 'Legal hold set',
    after: { until },
  }),
  SubjectRestrictionLifted: (_, { subjectId }) => ({ target: subject(subjectId), summary: 'Legal hold lifted' }),
  IdentifiersRevealed: ({ subjectId, reason }) => ({
    target: subject(subjectId),
    summary: 'Identifiers shown in clear',
    reason,
  }),
  // Its records are shown one by one.
  BatchCompleted: null,
});
