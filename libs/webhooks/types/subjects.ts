import { Flag, ListOf, OneOf, Text, Timestamp } from '../../http/contract/fields.js';
import {
  CONFLICT_POLICIES,
  ERASURE_REASONS,
  VERIFICATION_METHODS,
  type IdentifierAddedData,
  type SubjectCreatedData,
  type SubjectErasedData,
  type SubjectMergeRevertedData,
  type SubjectsMergedData,
} from '../../subjects/index.js';
import { defineWebhook, type WebhookType } from './webhook-type.js';
import { RECEIPT_ID, SUBJECT_ID } from './fields.js';

const FAMILY_MAX = 1000;
const MERGE_ID = { example: 'mrg_01KAK3V0ZC8W9J2M4N6P8Q0R2S', maxLength: 30 } as const;

export class CreatedSubjectDto {
  @OneOf(['subject'], { description: 'What this is.', example: 'subject' }) object!: string;
  @Text({ description: 'Id of the subject.', ...SUBJECT_ID }) id!: string;
  @Timestamp({ description: 'When it was created.' }) createdAt!: string;
}

/** An identifier, without its value, which is personal. */
export class AddedIdentifierDto {
  @OneOf(['identifier'], { description: 'What this is.', example: 'identifier' }) object!: string;
  @Text({ description: 'Id of the identifier.', example: 'idn_01KAK3V0ZC8W9J2M4N6P8Q0R2S', maxLength: 30 }) id!: string;
  @Text({ description: 'Kind.', example: 'email', maxLength: 47 }) kind!: string;
  @Flag({ description: 'The first of its kind.', example: true }) primary!: boolean;
  @Flag({ description: 'Whether it is known to be the subject’s own.', example: true }) verified!: boolean;
  @Timestamp({ description: 'Since when that is known.', nullable: true }) verifiedAt!: string | null;
  @OneOf(VERIFICATION_METHODS, { description: 'How it is known.', example: 'DOUBLE_OPT_IN', nullable: true })
  verificationMethod!: string | null;
  @OneOf(['API', 'IMPORT', 'MIGRATION'], { description: 'Where it came from.', example: 'API' }) source!: string;
  @Timestamp({ description: 'When it was added.' }) addedAt!: string;
}

export class ToldMergeDto {
  @OneOf(['merge'], { description: 'What this is.', example: 'merge' }) object!: string;
  @Text({ description: 'Id of the merge.', ...MERGE_ID }) id!: string;
  @Text({ description: 'The subject that all of them are now.', ...SUBJECT_ID }) target!: string;
  @ListOf(() => 'string', {
    description: 'The subjects that are part of it since: the one that was named, and whom it had absorbed.',
    maxItems: FAMILY_MAX,
    of: { maxLength: SUBJECT_ID.maxLength },
  })
  merged!: string[];
  @OneOf(CONFLICT_POLICIES, { description: 'Whose decision stood where they differed.', example: 'MOST_RESTRICTIVE' })
  conflictPolicy!: string;
  @Timestamp({ description: 'When they became one.' }) mergedAt!: string;
}

export class RevertedMergeDto {
  @OneOf(['merge'], { description: 'What this is.', example: 'merge' }) object!: string;
  @Text({ description: 'Id of the merge.', ...MERGE_ID }) id!: string;
  @Text({ description: 'The subject that they were part of.', ...SUBJECT_ID }) target!: string;
  @ListOf(() => 'string', {
    description: 'The subjects that are their own again.',
    maxItems: FAMILY_MAX,
    of: { maxLength: SUBJECT_ID.maxLength },
  })
  released!: string[];
  @Timestamp({ description: 'When the merge was reverted.' }) revertedAt!: string;
}

export class ToldErasureDto {
  @OneOf(['erasure'], { description: 'What this is.', example: 'erasure' }) object!: string;
  @Text({ description: 'Id of the receipt of the erasure.', ...RECEIPT_ID }) receiptId!: string;
  @Text({ description: 'The subject that was asked about.', ...SUBJECT_ID }) root!: string;
  @ListOf(() => 'string', {
    description: 'All that were erased with it, since they were one. Each is told by itself too.',
    maxItems: FAMILY_MAX,
    of: { maxLength: SUBJECT_ID.maxLength },
  })
  erasedTogether!: string[];
  @OneOf(ERASURE_REASONS, { description: 'Why.', example: 'DATA_SUBJECT_REQUEST' }) reason!: string;
  @Timestamp({ description: 'When it was erased.' }) erasedAt!: string;
}

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

export const SUBJECT_WEBHOOKS: readonly WebhookType[] = [
  defineWebhook<Pick<SubjectCreatedData, 'createdAt'>>({
    type: 'subject.created',
    description: 'A subject was seen for the first time.',
    object: CreatedSubjectDto,
    previous: null,
    on: ['SubjectCreated'],
    tells: ({ data: { createdAt }, subjectId }) => ({
      occurredAt: createdAt,
      object: { object: 'subject', id: subjectId, createdAt },
      previous: null,
    }),
    sample: { createdAt: AT },
  }),
  defineWebhook<Identifier>({
    type: 'subject.identifier_added',
    description: 'A subject has one more identifier.',
    object: AddedIdentifierDto,
    previous: null,
    on: ['IdentifierAdded'],
    tells: ({ data }) => ({
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
  defineWebhook<Merged>({
    type: 'subject.merged',
    description: 'Subjects became one. What is known of the merged ones is read under the target from now on.',
    object: ToldMergeDto,
    previous: null,
    on: ['SubjectsMerged'],
    // A merge stands on both streams; only that of the survivor holds all of it.
    tells: ({ data: { mergeId, role, survivorId, absorbedId, family, policy, mergedAt } }) =>
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
  defineWebhook<Reverted>({
    type: 'subject.merge_reverted',
    description: 'A merge was taken back: the subjects are their own again.',
    object: RevertedMergeDto,
    previous: null,
    on: ['SubjectMergeReverted'],
    // A merge that gave way never reached the survivor, so nobody was told of it.
    tells: ({ data: { mergeId, role, survivorId, absorbedIds, revertedAt, cause } }) =>
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
  defineWebhook<Erased>({
    type: 'subject.erased',
    description: 'A subject was erased. Delete what you keep under its id; each of a family is told by itself.',
    object: ToldErasureDto,
    previous: null,
    on: ['SubjectErased'],
    tells: ({ data: { receiptId, rootId, erasedTogether, reason, erasedAt } }) => ({
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
];
