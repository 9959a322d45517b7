import { PresentationDto } from '../../catalogue/dto.js';
import type { Presentation } from '../../catalogue/index.js';
import { COUNTRY, REGION } from '../../http/country.js';
import { Flag, FreeObject, ListOf, MapOf, Nested, OneOf, Text, Timestamp, Whole } from '../../http/contract/fields.js';
import {
  EvidenceDto,
  JurisdictionDto,
  KeptActorDto,
  KeptCollectionDto,
  ProvenanceDto,
  SignalsDto,
  VendorDto,
} from '../dto.js';
import { EFFECTIVE, EFFECTIVE_REASONS } from '../../policy/index.js';
import { ReaderSubjectDto } from '../../subjects/dto.js';
import {
  CONSENT_STATES,
  DECISIONS,
  SOURCES,
  type Actor,
  type Collection,
  type Jurisdiction,
  type Signals,
} from '../events.js';
import { RENEWAL_REASONS } from '../view.js';

export class ConsentStateQuery {
  @ListOf(() => 'string', {
    description: 'Only these purposes; repeatable.',
    example: ['analytics'],
    maxItems: 50,
    of: { maxLength: 64, pattern: '^[a-z][a-z0-9_.-]*$', patternHint: 'a purpose key' },
    optional: true,
  })
  purpose?: string[];
  @Flag({
    description: 'Fold the subject’s stream instead of reading rows or caches: never misses an acknowledged write.',
    example: true,
    optional: true,
  })
  fresh?: boolean;
  @Timestamp({ description: 'The state as given at that instant.', optional: true }) asOf?: string;
  @Timestamp({ description: 'As the service knew it at that instant.', optional: true }) knownAt?: string;
  @Text({
    description:
      'Country whose rule applies, ISO 3166-1. Default: the one that the proxy in front names to a page, else that of the newest record that names one, else the strictest rule.',
    example: 'US',
    ...COUNTRY,
    optional: true,
  })
  country?: string;
  @Text({ description: 'Region, ISO 3166-2.', example: 'US-CA', ...REGION, optional: true }) region?: string;
}

export class ExplainQuery {
  @Text({ description: 'The purpose to explain.', example: 'analytics', maxLength: 64 }) purpose!: string;
  @Timestamp({ description: 'The reasons that held at that instant, from what was given until then.', optional: true })
  asOf?: string;
  @Text({
    description: 'Country whose rule applies, ISO 3166-1. Default: as for the state.',
    example: 'US',
    ...COUNTRY,
    optional: true,
  })
  country?: string;
  @Text({ description: 'Region, ISO 3166-2.', example: 'US-CA', ...REGION, optional: true }) region?: string;
}

export class ConsentHistoryQuery {
  @Text({ description: 'Only this purpose.', example: 'analytics', maxLength: 64, optional: true }) purpose?: string;
  @Timestamp({ description: 'Recorded at or after.', optional: true }) from?: string;
  @Timestamp({ description: 'Recorded before.', optional: true }) to?: string;
  @Whole({ description: 'Items on a page.', example: 50, min: 1, max: 200, default: 50, optional: true })
  limit?: number;
  @Text({ description: 'The `nextCursor` of the page before.', example: 'eyJ2IjoxfQ', maxLength: 200, optional: true })
  cursor?: string;
}

export class RenewalDto {
  @Flag({ description: 'Whether to ask again.', example: false }) required!: boolean;
  @OneOf(RENEWAL_REASONS, { description: 'Why.', example: null, nullable: true }) reason!: string | null;
}

export class PurposeStateDto {
  @OneOf(CONSENT_STATES, { description: 'What was said.', example: 'GRANTED' }) state!: string;
  @OneOf(EFFECTIVE, { description: 'What may be done.', example: 'ALLOWED' }) effective!: string;
  @OneOf(EFFECTIVE_REASONS, { description: 'Why.', example: 'EXPLICIT' }) effectiveReason!: string;
  @Whole({ description: 'Version that was decided on.', example: 1, nullable: true }) purposeVersion!: number | null;
  @Timestamp({ description: 'When it was decided.', nullable: true }) givenAt!: string | null;
  @Timestamp({ description: 'When it was recorded.', nullable: true }) recordedAt!: string | null;
  @Timestamp({ description: 'When it ends.', nullable: true, example: '2027-11-21T12:00:00.000Z' }) expiresAt!:
    string | null;
  @OneOf(SOURCES, { description: 'Who asserts it.', example: 'API', nullable: true }) source!: string | null;
  @Nested(() => RenewalDto, { description: 'Whether it wants renewal.' }) renewal!: RenewalDto;
  @Text({ description: 'Id of the receipt.', example: 'rct_01KAK3V0ZC8W9J2M4N6P8Q0R2S', maxLength: 30, nullable: true })
  receiptId!: string | null;
}

export class ConsentStateDto {
  @Nested(() => ReaderSubjectDto, { description: 'The subject.' }) subject!: ReaderSubjectDto;
  @Whole({
    description: 'Revision of the subject’s stream that the answer reflects; -1 before the first event.',
    example: 2,
    min: -1,
  })
  revision!: number;
  @Timestamp({ description: 'The instant that the answer describes.' }) asOf!: string;
  @MapOf(() => PurposeStateDto, { description: 'Every published purpose, or those asked for.', maxKeys: 1000 })
  purposes!: Record<string, PurposeStateDto>;
}

export class ReasoningDto {
  @OneOf(['PURPOSE', 'RECORD', 'POLICY', 'SIGNAL', 'VERSION', 'CLOCK', 'RESULT'], {
    description: 'What was weighed.',
    example: 'RECORD',
  })
  step!: string;
  @Text({ description: 'What it said.', example: 'No decision was recorded.', maxLength: 20_000 }) text!: string;
}

export class ExplanationDto {
  @Nested(() => ReaderSubjectDto, { description: 'The subject.' }) subject!: ReaderSubjectDto;
  @Text({ description: 'The purpose.', example: 'analytics', maxLength: 64 }) purpose!: string;
  @Timestamp({ description: 'The instant that the answer describes.' }) asOf!: string;
  @OneOf(EFFECTIVE, { description: 'What may be done.', example: 'BLOCKED' }) effective!: string;
  @OneOf(EFFECTIVE_REASONS, { description: 'Why, in one word.', example: 'NEVER_ASKED' }) effectiveReason!: string;
  @ListOf(() => ReasoningDto, { description: 'Why, step by step.', maxItems: 20 }) because!: ReasoningDto[];
}

export class NoticeDto {
  @Text({ description: 'Language of the text in force.', example: 'en', maxLength: 35 }) locale!: string;
  @Text({
    description: 'Content hash of the purpose text in that language.',
    example: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    maxLength: 71,
  })
  contentHash!: string;
}

class KeptEvidenceDto extends EvidenceDto {
  @Text({
    description: 'Where you keep it; null after erasure.',
    example: 'https://archive.example/proofs/17',
    maxLength: 2048,
    minLength: 0,
    optional: true,
    nullable: true,
  })
  override uri?: string;
}

/** Everything that was recorded, as one line of history. */
export class ConsentHistoryItemDto {
  @OneOf(['consent_record', 'consent_expiry'], {
    description: 'A decision, or its running out.',
    example: 'consent_record',
  })
  object!: string;
  @Text({ description: 'Id of the record.', example: 'rec_01KAK3V0ZC8W9J2M4N6P8Q0R2S', maxLength: 30 }) id!: string;
  @Whole({ description: 'Place in the subject’s history, counted from 0.', example: 2 }) sequence!: number;
  @Text({ description: 'Id of the event in the log.', example: '0b5d6d0e-5b0a-5d3c-9a5e-7c1b2d4e8f90', maxLength: 36 })
  eventId!: string;
  @Text({
    description: 'Id of the receipt; null for an expiry.',
    example: 'rct_01KAK3V0ZC8W9J2M4N6P8Q0R2S',
    maxLength: 30,
    nullable: true,
  })
  receiptId!: string | null;
  @Text({
    description: 'The subject whose stream it came from, where subjects were merged.',
    example: null,
    maxLength: 30,
    nullable: true,
  })
  mergedFrom!: string | null;
  @Text({ description: 'Key of the purpose.', example: 'analytics', maxLength: 64 }) purpose!: string;
  @OneOf(CONSENT_STATES, { description: 'State after it.', example: 'GRANTED' }) state!: string;
  @Timestamp({ description: 'When the service recorded it.' }) recordedAt!: string;
  @Whole({ description: 'Version of the purpose.', example: 1, optional: true }) purposeVersion?: number;
  @OneOf(DECISIONS, { description: 'The decision.', example: 'GRANTED', optional: true }) decision?: string;
  @OneOf(CONSENT_STATES, { description: 'State before it.', example: 'NOT_COLLECTED', optional: true })
  previousState?: string;
  @OneOf(SOURCES, { description: 'Who asserts it.', example: 'API', optional: true }) source?: string;
  @Timestamp({ description: 'When it was decided.', optional: true }) givenAt?: string;
  @Flag({
    description: 'True of an import or a migration without a date: `givenAt` is when it was recorded.',
    example: true,
    optional: true,
  })
  undated?: boolean;
  @Timestamp({
    description: 'When the grant ends, or ended.',
    optional: true,
    nullable: true,
    example: '2027-11-21T12:00:00.000Z',
  })
  expiresAt?: string | null;
  @Flag({ description: 'Whether it changed the state.', example: true, optional: true }) appliedToState?: boolean;
  @Text({ description: 'The record that stood instead.', example: null, maxLength: 30, optional: true, nullable: true })
  supersededBy?: string | null;
  @Nested(() => JurisdictionDto, { description: 'Place whose law was applied.', optional: true })
  jurisdiction?: Jurisdiction;
  @Nested(() => KeptCollectionDto, { description: 'How it was collected.', optional: true }) collection?: Collection;
  @Nested(() => PresentationDto, {
    description: 'What was shown, as the presentation token of the decision stated it.',
    optional: true,
  })
  presentation?: Presentation;
  @Nested(() => SignalsDto, { description: 'Privacy signals.', optional: true }) signals?: Signals;
  @Nested(() => KeptActorDto, { description: 'Who decided.', optional: true }) actor?: Actor;
  @ListOf(() => VendorDto, { description: 'Choices for single vendors.', maxItems: 2000, optional: true })
  vendors?: VendorDto[];
  @ListOf(() => KeptEvidenceDto, { description: 'Documents by hash.', maxItems: 20, optional: true })
  evidence?: KeptEvidenceDto[];
  @FreeObject({
    description: 'Your own facts; null after erasure.',
    example: { campaign: 'autumn' },
    maxKeys: 20,
    maxBytes: 4096,
    depth: 4,
    optional: true,
    nullable: true,
  })
  metadata?: Record<string, unknown> | null;
  @Nested(() => NoticeDto, { description: 'The text that was in force.', optional: true }) notice?: NoticeDto;
  @Nested(() => ProvenanceDto, { description: 'What the request itself showed, minimised.', optional: true })
  provenance?: ProvenanceDto;
}

export class ConsentHistoryDto {
  @ListOf(() => ConsentHistoryItemDto, { description: 'Newest first.', maxItems: 200 }) data!: ConsentHistoryItemDto[];
  @Text({ description: 'Cursor of the next page.', example: null, maxLength: 200, nullable: true }) nextCursor!:
    string | null;
  @Flag({ description: 'Whether more may follow.', example: false }) hasMore!: boolean;
}
