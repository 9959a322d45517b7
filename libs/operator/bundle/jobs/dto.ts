import { ListOf, Nested, Numeric, OneOf, Text, Timestamp, Whole } from '../../../http/contract/fields.js';
import { BUNDLE_STATES, type BundleState } from './bundle-jobs.js';

const POSITION = {
  maxLength: 19,
  pattern: '^\\d{1,19}$',
  patternHint: 'a position, as decimal text',
  example: '4211',
} as const;
const COUNT = { min: 0, example: 12 } as const;
const SUBJECT_ID = { example: 'sub_01KAK3V0ZC8W9J2M4N6P8Q0R2T', maxLength: 40 } as const;

/** Exactly one of `subject` and `since`. */
export class AskAuditBundleDto {
  @Text({
    description: 'About whom: a reference. All that were merged with the subject are in the bundle too.',
    example: 'email:ada@example.org',
    maxLength: 330,
    optional: true,
  })
  subject?: string;
  @Timestamp({ description: 'All that was recorded from then on.', optional: true }) since?: string;
  @Text({
    description: 'Only up to this position of the log: the same log then gives the same bytes.',
    ...POSITION,
    optional: true,
  })
  through?: string;
  @Timestamp({
    description:
      'Lists who read what in the hours before, and which deliveries had ended. Default: before the last event.',
    optional: true,
  })
  readsUntil?: string;
}

export class AuditBundleProblemDto {
  @Text({ description: 'What it is.', example: 'subject_not_found', maxLength: 100 }) code!: string;
  @Text({ description: 'In words.', example: 'The log holds nothing about that subject.', maxLength: 2000 })
  message!: string;
  @Text({ description: 'What to do.', example: 'Check the reference.', maxLength: 2000 }) hint!: string;
}

export class AuditBundleDto {
  @OneOf(['audit_bundle'], { description: 'What this is.', example: 'audit_bundle' }) object!: 'audit_bundle';
  @Text({ description: 'Its id.', example: 'abn_01KAK3V0ZC8W9J2M4N6P8Q0R2S', maxLength: 40 }) id!: string;
  @OneOf(BUNDLE_STATES, { description: 'A dispatcher makes it.', example: 'READY' }) state!: BundleState;
  @Numeric({ description: 'How far it is, 0 to 1.', min: 0, max: 1, example: 1 }) progress!: number;
  @Text({ description: 'Id of the subject that it is about; null: of all subjects.', ...SUBJECT_ID, nullable: true })
  subjectId!: string | null;
  @Timestamp({ description: 'From when on.', nullable: true }) since!: string | null;
  @Text({ description: 'Up to which position; null: all that was in the log then.', ...POSITION, nullable: true })
  through!: string | null;
  @Text({ description: 'Id of the operator who asked.', example: 'opt_4Zt8nXq2LmPa', maxLength: 60 }) askedBy!: string;
  @Timestamp({ description: 'When.' }) askedAt!: string;
  @Timestamp({ description: 'When it was made, or failed.', nullable: true }) finishedAt!: string | null;
  @Timestamp({ description: 'When it is deleted: seven days after it was made.', nullable: true }) expiresAt!:
    string | null;
  @Whole({ description: 'Events in it; null until it is READY, as all that follows.', ...COUNT, nullable: true })
  records!: number | null;
  @Whole({ description: 'Signed receipts in it.', ...COUNT, nullable: true }) receipts!: number | null;
  @Whole({ description: 'Size.', ...COUNT, nullable: true }) bytes!: number | null;
  @Text({ description: 'SHA-256 of the file, hex.', example: '9f86d081…', maxLength: 64, nullable: true }) sha256!:
    string | null;
  @Nested(() => AuditBundleProblemDto, { description: 'Why it FAILED.', nullable: true })
  problem!: AuditBundleProblemDto | null;
}

export class AuditBundleListDto {
  @ListOf(() => AuditBundleDto, { description: 'The newest first, at most a hundred.', maxItems: 100 })
  data!: AuditBundleDto[];
}
