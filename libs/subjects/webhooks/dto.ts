import { CONFLICT_POLICIES } from '../../context/subject-part.js';
import { RECEIPT_ID, SUBJECT_ID } from '../../context/webhook-fields.js';
import { Flag, ListOf, OneOf, Text, Timestamp } from '../../http/contract/fields.js';
import { ERASURE_REASONS, VERIFICATION_METHODS } from '../events.js';

const FAMILY_MAX = 1000;
export const MERGE_ID = { example: 'mrg_01KAK3V0ZC8W9J2M4N6P8Q0R2S', maxLength: 30 } as const;

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

export class AnnouncedMergeDto {
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

export class AnnouncedErasureDto {
  @OneOf(['erasure'], { description: 'What this is.', example: 'erasure' }) object!: string;
  @Text({ description: 'Id of the receipt of the erasure.', ...RECEIPT_ID }) receiptId!: string;
  @Text({ description: 'The subject that was asked about.', ...SUBJECT_ID }) root!: string;
  @ListOf(() => 'string', {
    description: 'All that were erased with it, since they were one. Each has an event of its own too.',
    maxItems: FAMILY_MAX,
    of: { maxLength: SUBJECT_ID.maxLength },
  })
  erasedTogether!: string[];
  @OneOf(ERASURE_REASONS, { description: 'Why.', example: 'DATA_SUBJECT_REQUEST' }) reason!: string;
  @Timestamp({ description: 'When it was erased.' }) erasedAt!: string;
}
