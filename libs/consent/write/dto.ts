import { Flag, FreeObject, ListOf, Nested, OneOf, Text, Timestamp, Whole } from '../../http/contract/fields.js';
import type { Misshapen } from '../../http/contract/misshapen.js';
import {
  BATCH_MODE,
  BATCH_MODES,
  BatchOutcomeDto,
  DRY_RUN,
  ITEM_KEY,
  ItemResultDto,
  RECORDS,
  RESULTS,
  type BatchMode,
} from '../../subjects/dto.js';
import { ActorDto, CollectionDto, EvidenceDto, JurisdictionDto, SignalsDto, VendorDto } from '../dto.js';
import {
  CONSENT_STATES,
  DECISIONS,
  SOURCES,
  type Actor,
  type Collection,
  type Decision,
  type EvidenceItem,
  type Jurisdiction,
  type Signals,
  type Source,
  type VendorDecision,
} from '../events.js';
import { GIVEN_SECONDS_AGO } from '../given.js';

const PURPOSE_KEY = '^[a-z][a-z0-9_.-]{0,63}$';

/** One decision of one subject on one purpose. */
export class RecordConsentDto {
  @Text({
    description: 'Whose decision: `<kind>:<value>`.',
    example: 'visitor_id:7f2c1e6ab0d94c3f8e5d2a1b4c6f8e90',
    maxLength: 800,
  })
  subject!: string;
  @Text({
    description: 'Key of a published purpose.',
    example: 'analytics',
    maxLength: 64,
    pattern: PURPOSE_KEY,
    patternHint: 'a purpose key',
  })
  purpose!: string;
  @OneOf(DECISIONS, {
    description:
      'The decision. OBJECTED only on LEGITIMATE_INTERESTS or OPT_OUT; ACKNOWLEDGED only for NOTICE_ONLY; WITHDRAWN is always possible.',
    example: 'GRANTED',
  })
  decision!: Decision;
  @Whole({
    description: 'Version of the purpose that was shown. Default: the current one.',
    example: 1,
    min: 1,
    optional: true,
  })
  purposeVersion?: number;
  @OneOf(SOURCES, {
    description: 'IMPORT and MIGRATION: the caller asserts the record rather than the subject; they need a secret key.',
    example: 'API',
    default: 'API',
    optional: true,
  })
  source?: Source;
  @Timestamp({
    description:
      'When it was decided. Default now; at most 5 minutes ahead, and at most 24 hours back unless IMPORT or MIGRATION.',
    optional: true,
  })
  givenAt?: string;
  @Whole(GIVEN_SECONDS_AGO) givenSecondsAgo?: number;
  @Timestamp({
    description: 'When the grant ends. Default, and latest: what the purpose allows.',
    example: '2027-11-21T12:00:00.000Z',
    optional: true,
  })
  expiresAt?: string;
  @Nested(() => JurisdictionDto, { description: 'Place whose law was applied.', optional: true })
  jurisdiction?: Jurisdiction;
  @Nested(() => CollectionDto, { description: 'How it was collected.', optional: true }) collection?: Collection;
  @Nested(() => SignalsDto, { description: 'Privacy signals of the browser.', optional: true }) signals?: Signals;
  @Nested(() => ActorDto, { description: 'Who decided. Default: the subject.', optional: true }) actor?: Actor;
  @ListOf(() => VendorDto, { description: 'Choices for single vendors.', maxItems: 2000, optional: true })
  vendors?: VendorDecision[];
  @ListOf(() => EvidenceDto, {
    description: 'Documents that prove the decision, by hash.',
    maxItems: 20,
    optional: true,
  })
  evidence?: EvidenceItem[];
  @FreeObject({
    description: 'Your own facts about the record. Encrypted, gone after erasure.',
    example: { campaign: 'autumn' },
    maxKeys: 20,
    maxBytes: 4096,
    depth: 4,
    optional: true,
  })
  metadata?: Record<string, unknown>;
}

export class BatchItemDto extends RecordConsentDto {
  @Text(ITEM_KEY) idempotencyKey?: string;
}

export class RecordBatchDto {
  @ListOf(() => BatchItemDto, RECORDS) records!: (BatchItemDto | Misshapen)[];
  @OneOf(BATCH_MODES, BATCH_MODE) mode?: BatchMode;
  @Flag(DRY_RUN) dryRun?: boolean;
}

export class SubjectIdDto {
  @Text({ description: 'Id of the subject.', example: 'sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S', maxLength: 30 }) id!: string;
}

export class ConsentRecordDto {
  @Text({ description: 'Id of the record.', example: 'rec_01KAK3V0ZC8W9J2M4N6P8Q0R2S', maxLength: 30 }) id!: string;
  @OneOf(['consent_record'], { description: 'What this is.', example: 'consent_record' }) object!: string;
  @Nested(() => SubjectIdDto, { description: 'Whose decision.' }) subject!: SubjectIdDto;
  @Text({ description: 'Key of the purpose.', example: 'analytics', maxLength: 64 }) purpose!: string;
  @Whole({ description: 'Version of the purpose.', example: 1 }) purposeVersion!: number;
  @OneOf(DECISIONS, { description: 'The decision.', example: 'GRANTED' }) decision!: string;
  @OneOf(CONSENT_STATES, { description: 'State of the purpose after this record.', example: 'GRANTED' }) state!: string;
  @OneOf(CONSENT_STATES, { description: 'State before it.', example: 'NOT_COLLECTED' }) previousState!: string;
  @OneOf(SOURCES, { description: 'Who asserts the record.', example: 'API' }) source!: string;
  @Timestamp({ description: 'When it was decided.' }) givenAt!: string;
  @Timestamp({ description: 'When the service recorded it.' }) recordedAt!: string;
  @Timestamp({
    description: 'When the grant ends; null for no end.',
    nullable: true,
    example: '2027-11-21T12:00:00.000Z',
  })
  expiresAt!: string | null;
  @Whole({ description: 'Place in the subject’s history, counted from 0.', example: 2 }) sequence!: number;
  @Text({ description: 'Id of the receipt.', example: 'rct_01KAK3V0ZC8W9J2M4N6P8Q0R2S', maxLength: 30 })
  receiptId!: string;
  @Text({
    description: 'With it the receipt can be read without a key, from every origin: `GET /v1/receipts/{id}?token=`.',
    example: 'rpt_mK2nq8bRk0xJmJm4nQfHj0Gq3v1m0XwqV9a1kM2c3d4',
    maxLength: 47,
  })
  receiptToken!: string;
  @Flag({
    description:
      'False where a newer decision already stood, or a refusal and this is an undated import; the record is history then.',
    example: true,
  })
  appliedToState!: boolean;
  @Text({ description: 'The record that stands instead.', example: null, maxLength: 30, nullable: true })
  supersededBy!: string | null;
}

export class BatchItemResultDto extends ItemResultDto {
  @Nested(() => ConsentRecordDto, { description: 'The record.', optional: true }) record?: ConsentRecordDto;
}

export class BatchResultDto extends BatchOutcomeDto {
  @ListOf(() => BatchItemResultDto, RESULTS) results!: BatchItemResultDto[];
}
