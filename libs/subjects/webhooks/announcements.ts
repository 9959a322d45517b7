import { receiptIssued } from '../../context/receipt-issued.js';
import { RECEIPT_ID, SUBJECT_ID } from '../../context/webhook-fields.js';
import { announcedAs, defineAnnouncements } from '../../context/webhook-types.js';
import type {
  IdentifierAddedData,
  SubjectCreatedData,
  SubjectErasedData,
  SubjectEvent,
  SubjectMergeRevertedData,
  SubjectsMergedData,
} from '../events.js';
import {
  AddedIdentifierDto,
  CreatedSubjectDto,
  MERGE_ID,
  RevertedMergeDto,
  AnnouncedErasureDto,
  AnnouncedMergeDto,
} from './dto.js';

type Identifier = Omit<IdentifierAddedData, 'value'>;
type Merged = Pick<
  SubjectsMergedData,
  'mergeId' | 'role' | 'survivorId' | 'absorbedId' | 'family' | 'policy' | 'mergedAt'
>;
type Reverted = Pick<
  SubjectMergeRevertedData,
  'mergeId' | 'role' | 'survivorId' | 'absorbedIds' | 'revertedAt' | 'cause'
>;
type Erased = Omit<SubjectErasedData, 'issuer'>;

const AT = '2026-11-21T12:00:00.000Z';
const OTHER = 'sub_01KAK3V0ZC8W9J2M4N6P8Q0R2T';

/** What webhooks announce of subjects. */
export const subjectAnnouncements = defineAnnouncements<SubjectEvent>({
  SubjectCreated: [
    announcedAs<Pick<SubjectCreatedData, 'createdAt'>>({
      webhook: {
        type: 'subject.created',
        description: 'A subject was seen for the first time.',
        isAboutSubject: true,
        object: CreatedSubjectDto,
        previous: null,
      },
      announce: ({ data: { createdAt }, subjectId }) => ({
        occurredAt: createdAt,
        object: { object: 'subject', id: subjectId, createdAt },
        previous: null,
      }),
      sample: { createdAt: AT },
    }),
  ],
  IdentifierAdded: [
    announcedAs<Identifier>({
      webhook: {
        type: 'subject.identifier_added',
        description: 'A subject has one more identifier.',
        isAboutSubject: true,
        object: AddedIdentifierDto,
        previous: null,
      },
      announce: ({ data }) => ({
        occurredAt: data.addedAt,
        object: {
          object: 'identifier',
          id: data.identifierId,
          kind: data.kind,
          primary: data.primary,
          verified: data.verifiedAt !== null,
          verifiedAt: data.verifiedAt,
          verificationMethod: data.verificationMethod,
          source: data.source,
          addedAt: data.addedAt,
        },
        previous: null,
      }),
      sample: {
        identifierId: 'idn_01KAK3V0ZC8W9J2M4N6P8Q0R2S',
        kind: 'email',
        primary: true,
        verifiedAt: null,
        verificationMethod: null,
        source: 'API',
        addedAt: AT,
      },
    }),
  ],
  IdentifierVerified: [],
  SubjectRectified: [],
  SubjectsMerged: [
    announcedAs<Merged>({
      webhook: {
        type: 'subject.merged',
        description: 'Subjects became one. What is known of the merged ones is read under the target from now on.',
        isAboutSubject: true,
        object: AnnouncedMergeDto,
        previous: null,
      },
      // A merge stands on both streams; only that of the survivor holds all of it.
      announce: ({ data: { mergeId, role, survivorId, absorbedId, family, policy, mergedAt } }) =>
        role === 'SURVIVOR'
          ? {
              occurredAt: mergedAt,
              object: {
                object: 'merge',
                id: mergeId,
                target: survivorId,
                merged: family ?? [absorbedId],
                conflictPolicy: policy,
                mergedAt,
              },
              previous: null,
            }
          : null,
      sample: {
        mergeId: MERGE_ID.example,
        role: 'SURVIVOR',
        survivorId: SUBJECT_ID.example,
        absorbedId: OTHER,
        family: [OTHER],
        policy: 'MOST_RESTRICTIVE',
        mergedAt: AT,
      },
    }),
  ],
  SubjectMergeReverted: [
    announcedAs<Reverted>({
      webhook: {
        type: 'subject.merge_reverted',
        description: 'A merge was taken back: the subjects are their own again.',
        isAboutSubject: true,
        object: RevertedMergeDto,
        previous: null,
      },
      // A merge that gave way never reached the survivor, so no webhook announced it.
      announce: ({ data: { mergeId, role, survivorId, absorbedIds, revertedAt, cause } }) =>
        role === 'SURVIVOR' && cause === 'REVERTED'
          ? {
              occurredAt: revertedAt,
              object: { object: 'merge', id: mergeId, target: survivorId, released: absorbedIds, revertedAt },
              previous: null,
            }
          : null,
      sample: {
        mergeId: MERGE_ID.example,
        role: 'SURVIVOR',
        survivorId: SUBJECT_ID.example,
        absorbedIds: [OTHER],
        revertedAt: AT,
        cause: 'REVERTED',
      },
    }),
  ],
  SubjectErased: [
    announcedAs<Erased>({
      webhook: {
        type: 'subject.erased',
        description:
          'A subject was erased. Delete what you keep under its id; each of a family has an event of its own.',
        isAboutSubject: true,
        object: AnnouncedErasureDto,
        previous: null,
      },
      announce: ({ data: { receiptId, rootId, erasedTogether, reason, erasedAt } }) => ({
        occurredAt: erasedAt,
        object: { object: 'erasure', receiptId, root: rootId, erasedTogether, reason, erasedAt },
        previous: null,
      }),
      sample: {
        receiptId: RECEIPT_ID.example,
        rootId: SUBJECT_ID.example,
        erasedTogether: [],
        reason: 'DATA_SUBJECT_REQUEST',
        erasedAt: AT,
      },
    }),
    receiptIssued<Erased>('ERASURE', ({ receiptId, rootId }, subjectId) =>
      // Of subjects that were erased together, one receipt stands for all: that of the subject that was asked about.
      rootId === subjectId ? { receiptId, recordId: null } : null,
    ),
  ],
  SubjectRestricted: [],
  SubjectRestrictionLifted: [],
});
