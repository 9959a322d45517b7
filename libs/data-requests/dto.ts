import { JURISDICTION_SOURCES, type Jurisdiction } from '../consent/index.js';
import { Flag, ListOf, MapOf, Nested, OneOf, Text, Timestamp, Whole } from '../http/contract/fields.js';
import { PeriodDto } from '../policy/dto.js';
import { VALUE_BYTES } from '../preferences/dto.js';
import { SubjectIdOnlyDto } from '../subjects/dto.js';
import {
  CANCELLATION_REASONS,
  COMPLETION_OUTCOMES,
  DATA_REQUEST_STATES,
  DATA_REQUEST_TYPES,
  HOLD_REASONS,
  REJECTION_REASONS,
  REQUEST_SOURCES,
  REQUEST_VERIFICATIONS,
  UNPROVEN_REASONS,
  REQUESTER_TYPES,
  type CompletionOutcome,
  type DataRequestStateName,
  type DataRequestType,
  type HoldReason,
  type RequestEffect,
  type RequesterType,
  type RequestSource,
  type RequestVerification,
} from './events.js';
import { CORRECTIONS_MAX } from './corrections.js';
import { CorrectionDto, OPERATOR_ID, REQUEST_ID } from './request.dto.js';

export type { ArchiveLinkDto } from './archive/dto.js';

export { CorrectionDto, PlaceDto, RequesterDto } from './request.dto.js';
import { VERIFICATION_STATUSES, type ListedDataRequest } from './view.js';

const EFFECT_KINDS = ['NONE', 'ERASURE', 'RESTRICTION', 'RECTIFICATION', 'DECISIONS', 'ARCHIVE'] as const;
const RECORD_IDS = { maxItems: 1000, of: { maxLength: 30 }, optional: true } as const;

export class KnownPlaceDto {
  @Text({ description: 'ISO 3166-1 alpha-2.', example: 'DE', maxLength: 2 }) country!: string;
  @Text({ description: 'ISO 3166-2; null: the whole country.', example: null, maxLength: 6, nullable: true })
  region!: string | null;
  @OneOf(JURISDICTION_SOURCES, {
    description: 'How the request said that the place is known; absent where it did not.',
    example: 'DECLARED',
    optional: true,
  })
  source?: Jurisdiction['source'];
}

export class RequestClockDto {
  @Flag({ description: 'Whether the period runs.', example: true }) running!: boolean;
  @Timestamp({ description: 'Since when it stands still; null: it does not.', example: null, nullable: true })
  pausedSince!: string | null;
}

export class RequestVerificationDto {
  @OneOf(VERIFICATION_STATUSES, { description: 'Whether it is known that the subject sent it.', example: 'VERIFIED' })
  status!: (typeof VERIFICATION_STATUSES)[number];
  @OneOf(REQUEST_VERIFICATIONS, { description: 'How; null: it is not.', example: 'OPERATOR', nullable: true })
  method!: RequestVerification | null;
  @Timestamp({ description: 'Since when; null: it is not.', nullable: true }) verifiedAt!: string | null;
  @Timestamp({
    description: 'Until when the requester can prove it, before the request expires; null: no proof was asked for.',
    example: null,
    nullable: true,
  })
  expiresAt!: string | null;
  @OneOf(UNPROVEN_REASONS, {
    description:
      'Why an operator has to find out whether the subject sent it. ADDRESS_NOT_VERIFIED: a code that was mailed to an address of the subject was entered, but that address is not verified, and others of the subject are. Null: it is known, or nothing was proved.',
    example: null,
    nullable: true,
  })
  reason!: (typeof UNPROVEN_REASONS)[number] | null;
}

export class ArchiveDto {
  @Text({ description: 'SHA-256 of what was handed out, as hex.', example: 'ab'.repeat(32), maxLength: 64 })
  sha256!: string;
  @Whole({ description: 'Its size in bytes.', example: 20480 }) bytes!: number;
}

export class RequestEffectDto {
  @OneOf(EFFECT_KINDS, {
    description:
      'What was done here. NONE: nothing was to be done in this service. DECISIONS: consents and preferences were refused.',
    example: 'ERASURE',
  })
  kind!: RequestEffect['kind'];
  @Text({
    description: 'ERASURE: id of its receipt.',
    example: 'rct_01KAK3V0ZC8W9J2M4N6P8Q0R2S',
    maxLength: 30,
    optional: true,
  })
  receiptId?: string;
  @ListOf(() => 'string', {
    description: 'DECISIONS: ids of the records. RECTIFICATION: of the record of preferences.',
    ...RECORD_IDS,
  })
  recordIds?: readonly string[];
  @ListOf(() => 'string', { description: 'RECTIFICATION: ids of the identifiers that were added.', ...RECORD_IDS })
  identifierIds?: readonly string[];
  @ListOf(() => 'string', { description: 'RECTIFICATION: ids of those that were removed.', ...RECORD_IDS })
  removedIdentifierIds?: readonly string[];
  @ListOf(() => 'string', {
    description: 'RECTIFICATION: what else of the subject was put right: `locale`, `country`.',
    maxItems: 2,
    of: { maxLength: 10 },
    optional: true,
  })
  rectified?: readonly ('locale' | 'country')[];
  @Nested(() => ArchiveDto, { description: 'ARCHIVE: what was handed out.', optional: true })
  archive?: ArchiveDto;
}

export class ListedDataRequestDto {
  @Text({ description: 'Id of the request.', ...REQUEST_ID }) id!: string;
  @OneOf(['data_request'], { description: 'What this is.', example: 'data_request' }) object!: 'data_request';
  @Nested(() => SubjectIdOnlyDto, { description: 'Whose data it is about.' }) subject!: SubjectIdOnlyDto;
  @OneOf(DATA_REQUEST_TYPES, { description: 'What is requested.', example: 'ACCESS' }) type!: DataRequestType;
  @OneOf(DATA_REQUEST_STATES, { description: 'How far it is.', example: 'RECEIVED' }) state!: DataRequestStateName;
  @Text({ description: 'Act; null where none is known.', example: 'GDPR', maxLength: 40, nullable: true })
  regulation!: string | null;
  @Nested(() => KnownPlaceDto, { description: 'Whose law sets the dates; null: the strictest rule.', nullable: true })
  jurisdiction!: KnownPlaceDto | null;
  @Timestamp({ description: 'When it came in.' }) receivedAt!: string;
  @Timestamp({
    description: 'When its receipt must have been confirmed; null where the law does not say.',
    example: null,
    nullable: true,
  })
  acknowledgeBy!: string | null;
  @Timestamp({
    description:
      'The first moment that is too late to answer, pauses included; null while the clock stands still, and where the law sets no period.',
    example: '2026-12-21T23:00:00.000Z',
    nullable: true,
  })
  dueAt!: string | null;
  @Timestamp({
    description: 'The same with the extension; null where it was not extended, and while the clock stands still.',
    example: null,
    nullable: true,
  })
  extendedDueAt!: string | null;
  @Flag({ description: 'Whether it is open and should have been answered.', example: false }) overdue!: boolean;
  @Nested(() => RequestClockDto, { description: 'Whether its period runs.' }) clock!: RequestClockDto;
  @OneOf(HOLD_REASONS, { description: 'Why it waits; null: it does not.', example: null, nullable: true })
  holdReason!: HoldReason | null;
  @Nested(() => RequestVerificationDto, { description: 'What is known of who sent it.' })
  verification!: RequestVerificationDto;
  @OneOf(REQUEST_SOURCES, { description: 'How it came in.', example: 'EMAIL' }) source!: RequestSource;
  @Text({
    description:
      'The request that is answered instead; in the answer to a repeated request the open one that is shown.',
    ...REQUEST_ID,
    example: null,
    nullable: true,
  })
  duplicateOf!: string | null;
  @OneOf([...REJECTION_REASONS, ...CANCELLATION_REASONS], {
    description: 'Why it was rejected or canceled; null: it was not.',
    example: null,
    nullable: true,
  })
  reasonCode!: ListedDataRequest['reasonCode'];
  @OneOf(COMPLETION_OUTCOMES, {
    description: 'What it is just being completed as; null: no completion is under way.',
    example: null,
    nullable: true,
  })
  completing!: CompletionOutcome | null;
  @Nested(() => RequestEffectDto, { description: 'What completing it did; null: it is not completed.', nullable: true })
  effect!: RequestEffectDto | null;
  @Timestamp({ description: 'When it was closed; null: it is open.', example: null, nullable: true })
  closedAt!: string | null;
  @Text({ description: 'Id of the operator who works on it; null: none does.', ...OPERATOR_ID, nullable: true })
  assignee!: string | null;
  @Timestamp({ description: 'When it last changed.' }) updatedAt!: string;
}

export class ShownRequesterDto {
  @OneOf(REQUESTER_TYPES, { description: 'Who sent it.', example: 'SELF' }) type!: RequesterType;
  @Text({ description: 'Name; null: not said, or forgotten.', example: null, maxLength: 200, nullable: true })
  name!: string | null;
  @Text({
    description: 'Address; null: not said, or forgotten. Operators get it masked.',
    example: null,
    maxLength: 254,
    nullable: true,
    masked: true,
  })
  email!: string | null;
  @Text({ description: 'Evidence; null: not said, or forgotten.', example: null, maxLength: 500, nullable: true })
  evidence!: string | null;
}

export class RequestPeriodDto extends PeriodDto {
  @Text({ description: 'The rule, as `GET /v1/policy` names it.', example: 'DE.always', maxLength: 40 }) rule!: string;
  @Flag({
    description: 'Whether the period stands still while the controller waits for what it needs from the requester.',
    example: false,
  })
  clockStops!: boolean;
}

export class ReachedStateDto {
  @OneOf(DATA_REQUEST_STATES, { description: 'State.', example: 'RECEIVED' }) state!: DataRequestStateName;
  @Timestamp({ description: 'Since when.' }) at!: string;
}

export class RequestNoteDto {
  @Timestamp({ description: 'When it was written down.' }) at!: string;
  @Text({
    description: 'Who did: `operator:<id>`, or the id of a secret key.',
    example: 'operator:opt_4Zt8nXq2LmPa',
    maxLength: 200,
  })
  by!: string;
  @Text({
    description: 'What was written; null once it is forgotten.',
    example: 'Called, no answer.',
    maxLength: 2000,
    nullable: true,
  })
  text!: string | null;
}

export class DataRequestDto extends ListedDataRequestDto {
  @Text({
    description: 'Language of the requester; null: not known, or forgotten.',
    example: 'de-AT',
    maxLength: 35,
    nullable: true,
  })
  locale!: string | null;
  @Text({
    description: 'In the requester’s words; null: not said, or forgotten.',
    example: null,
    maxLength: 4000,
    nullable: true,
  })
  details!: string | null;
  @ListOf(() => CorrectionDto, {
    description:
      'Of a RECTIFICATION: what is, or was, put right: as it was completed, else as the requester asked for it. Empty: nothing was named, or it is forgotten.',
    maxItems: CORRECTIONS_MAX,
  })
  corrections!: readonly CorrectionDto[];
  @Nested(() => ShownRequesterDto, { description: 'Who sent it.' }) requester!: ShownRequesterDto;
  @Nested(() => RequestPeriodDto, {
    description: 'How long the answer may take, as the law of the place said when the request came in.',
  })
  period!: RequestPeriodDto;
  @Text({
    description: 'The last note; null: there is none, or it is forgotten.',
    example: null,
    maxLength: 2000,
    nullable: true,
  })
  note!: string | null;
  @ListOf(() => RequestNoteDto, {
    description: 'What operators wrote down about it, oldest first. No webhook, page or archive shows it.',
    maxItems: 1000,
  })
  notes!: readonly RequestNoteDto[];
  @ListOf(() => ReachedStateDto, { description: 'Every state that it came to, oldest first.', maxItems: 10_000 })
  history!: readonly ReachedStateDto[];
}

export class DataRequestListDto {
  @ListOf(() => ListedDataRequestDto, { description: 'Requests, without what people wrote.', maxItems: 200 })
  data!: ListedDataRequestDto[];
  @Text({ description: 'Where to go on; null on the last page.', example: null, maxLength: 300, nullable: true })
  nextCursor!: string | null;
  @Flag({ description: 'Whether there are more.', example: false }) hasMore!: boolean;
}

export const INTAKE_STATUSES = ['OPENED', 'DUPLICATE', 'REPLAYED', 'REJECTED'] as const;

export class IntakeIssueDto {
  @Text({ description: 'Place in the request.', example: 'subject', maxLength: 500 }) path!: string;
  @Text({ description: 'What is wrong there.', example: 'cannot be read', maxLength: 500 }) message!: string;
}

export class IntakeErrorDto {
  @Text({ description: 'Error code.', example: 'subject_ref_invalid', maxLength: 60 }) code!: string;
  @Text({ description: 'What is wrong.', example: 'The subject reference cannot be read.', maxLength: 500 })
  message!: string;
  @Text({ description: 'How to fix it.', example: 'Send "email:ada@example.org".', maxLength: 500 }) hint!: string;
  @ListOf(() => IntakeIssueDto, { description: 'Where.', maxItems: 20 }) issues!: readonly IntakeIssueDto[];
}

export class IntakeResultDto {
  @Whole({ description: 'Place in the list that was sent.', example: 0 }) index!: number;
  @OneOf(INTAKE_STATUSES, {
    description:
      'OPENED: now. DUPLICATE: one of this type is open already, which is shown. REPLAYED: opened before under the same key. REJECTED: see error.',
    example: 'OPENED',
  })
  status!: (typeof INTAKE_STATUSES)[number];
  @Nested(() => DataRequestDto, { description: 'The request.', optional: true }) request?: DataRequestDto;
  @Nested(() => IntakeErrorDto, { description: 'Why it was rejected.', optional: true }) error?: IntakeErrorDto;
}

export class IntakeSummaryDto {
  @Whole({ description: 'Requests sent.', example: 2 }) total!: number;
  @Whole({ description: 'Opened now.', example: 1 }) opened!: number;
  @Whole({ description: 'Open already.', example: 1 }) duplicates!: number;
  @Whole({ description: 'Opened before under the same key.', example: 0 }) replayed!: number;
  @Whole({ description: 'Refused.', example: 0 }) rejected!: number;
}

export class IntakeDto {
  @OneOf(['data_request_intake'], { description: 'What this is.', example: 'data_request_intake' })
  object!: 'data_request_intake';
  @Nested(() => IntakeSummaryDto, { description: 'How many came to what.' }) summary!: IntakeSummaryDto;
  @ListOf(() => IntakeResultDto, { description: 'One for each, in the order in which they were sent.', maxItems: 500 })
  results!: IntakeResultDto[];
}

export class PlannedDecisionDto {
  @Text({ description: 'Purpose.', example: 'analytics', maxLength: 64 }) purpose!: string;
  @Text({ description: 'Decision that would be recorded.', example: 'WITHDRAWN', maxLength: 20 }) decision!: string;
}

export class PlannedCorrectionDto {
  @Text({ description: 'A kind of identifier; or `country`, `locale`, `preference`.', example: 'email', maxLength: 47 })
  kind!: string;
  @Text({ description: 'Of preferences: the field.', example: null, maxLength: 200, nullable: true })
  field!: string | null;
  @Text({
    description: 'What is; null: nothing. Operators get identifiers masked.',
    example: 'ada@example.org',
    maxLength: VALUE_BYTES,
    nullable: true,
    masked: 'BY_KIND',
  })
  before!: string | null;
  @Text({
    description: 'What would be; null: nothing.',
    example: 'ada@example.net',
    maxLength: VALUE_BYTES,
    nullable: true,
    masked: 'BY_KIND',
  })
  after!: string | null;
}

export class DataRequestPlanDto {
  @OneOf(['data_request_plan'], { description: 'What this is.', example: 'data_request_plan' })
  object!: 'data_request_plan';
  @Text({ description: 'Id of the request.', ...REQUEST_ID }) id!: string;
  @OneOf(DATA_REQUEST_TYPES, { description: 'What is requested.', example: 'WITHDRAW_ALL' }) type!: DataRequestType;
  @OneOf(EFFECT_KINDS, { description: 'What completing would do here.', example: 'DECISIONS' })
  kind!: RequestEffect['kind'];
  @ListOf(() => PlannedDecisionDto, { description: 'Decisions that would be recorded.', maxItems: 1000 })
  decisions!: readonly PlannedDecisionDto[];
  @Flag({ description: 'Whether all messages that the subject can be without would end.', example: true })
  globalOptOut!: boolean;
  @ListOf(() => PlannedCorrectionDto, {
    description: 'RECTIFICATION: what would be put right.',
    maxItems: CORRECTIONS_MAX,
  })
  corrections!: readonly PlannedCorrectionDto[];
  @Nested(() => IntakeErrorDto, {
    description: 'Why completing would be refused at the moment; null: it would not.',
    nullable: true,
  })
  refused!: IntakeErrorDto | null;
}

/** A step of a data request in the timeline of its subject. */
export class TimelineRequestDto {
  @Text({ description: 'Id of the request.', ...REQUEST_ID }) id!: string;
  @OneOf(DATA_REQUEST_TYPES, { description: 'What is requested.', example: 'ACCESS' }) type!: DataRequestType;
  @Timestamp({ description: 'When it came in.' }) receivedAt!: string;
  @Timestamp({
    description: 'When it must be answered, as of then; null: the clock stood still, or the law sets no period.',
    example: '2026-12-21T23:00:00.000Z',
    nullable: true,
  })
  dueAt!: string | null;
  @OneOf(DATA_REQUEST_STATES, {
    description: 'How far it was, where the step says so.',
    example: 'RECEIVED',
    optional: true,
  })
  state?: DataRequestStateName;
  @OneOf(REQUEST_SOURCES, { description: 'Received: how it came in.', example: 'API', optional: true })
  source?: RequestSource;
  @Text({
    description: 'Received: act; null where none is known.',
    example: 'GDPR',
    maxLength: 40,
    nullable: true,
    optional: true,
  })
  regulation?: string | null;
  @Timestamp({ description: 'Proof asked for: until when it can be given.', optional: true }) expiresAt?: string;
  @OneOf(REQUEST_VERIFICATIONS, { description: 'Verified: how.', example: 'OPERATOR', optional: true })
  method?: RequestVerification;
  @Text({
    description: 'Held, rejected, canceled, completion refused: why, as a code.',
    example: 'LEGAL_REVIEW',
    maxLength: 60,
    optional: true,
  })
  reason?: string;
  @OneOf(COMPLETION_OUTCOMES, { description: 'Completion: how.', example: 'COMPLETED', optional: true })
  outcome?: CompletionOutcome;
  @Nested(() => RequestEffectDto, { description: 'Completed: what was done here.', optional: true })
  effect?: RequestEffectDto;
  @Text({
    description: 'Assigned: id of the operator who works on it; null: none does.',
    ...OPERATOR_ID,
    nullable: true,
    optional: true,
  })
  assignee?: string | null;
  @Text({ description: 'Duplicate: of which.', ...REQUEST_ID, optional: true }) duplicateOf?: string;
  @Text({
    description: 'What an operator wrote about it; null once it is forgotten.',
    example: 'Asked the warehouse for its records.',
    maxLength: 4000,
    nullable: true,
    optional: true,
  })
  note?: string | null;
}

const COUNT = { example: 3, min: 0 } as const;

export class DataRequestCountsDto {
  @OneOf(['data_request_counts'], { description: 'What this is.', example: 'data_request_counts' })
  object!: 'data_request_counts';
  @MapOf(() => 'integer', { description: 'How many requests are in each state, 0 included.', maxKeys: 20 })
  states!: Record<DataRequestStateName, number>;
  @Whole({ description: 'How many still wait for an operator or the requester.', ...COUNT }) open!: number;
  @Whole({ description: 'How many of those should have been answered.', ...COUNT }) overdue!: number;
  @Whole({ description: 'How many of those are due within 7 days from now, and not overdue.', ...COUNT })
  dueWithin7Days!: number;
  @Whole({ description: 'How many of those no operator works on.', ...COUNT }) unassigned!: number;
}
