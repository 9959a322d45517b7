import { JURISDICTION_SOURCES, type Jurisdiction } from '../consent/index.js';
import { COUNTRY, REGION } from '../http/country.js';
import { Any, ListOf, Nested, OneOf, Text, Timestamp } from '../http/contract/fields.js';
import { VALUE_BYTES, VALUE_TYPES } from '../preferences/dto.js';
import type { FieldValue } from '../preferences/index.js';
import { CORRECTIONS_MAX } from './corrections.js';
import { MOST_ITEMS } from '../commands/item-keys.js';
import {
  CANCELLATION_REASONS,
  COMPLETION_OUTCOMES,
  DATA_REQUEST_TYPES,
  HOLD_REASONS,
  REJECTION_REASONS,
  REQUEST_SOURCES,
  REQUEST_VERIFICATIONS,
  REQUESTER_TYPES,
  type CancellationReason,
  type CompletionOutcome,
  type DataRequestType,
  type HoldReason,
  type RejectionReason,
  type RequesterType,
  type RequestSource,
  type RequestVerification,
} from './events.js';

export const REQUEST_ID = { example: 'dsr_01KAK3V0ZC8W9J2M4N6P8Q0R2S', maxLength: 30 } as const;
/** Of a person, or of a token. */
export const OPERATOR_ID = { example: 'opt_4Zt8nXq2LmPa', maxLength: 30 } as const;
const LOCALE = {
  example: 'de-AT',
  maxLength: 35,
  pattern: '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}$',
  patternHint: 'a language tag',
} as const;

export class PlaceDto {
  @Text({ description: 'Country whose law holds, ISO 3166-1 alpha-2.', example: 'DE', ...COUNTRY }) country!: string;
  @Text({ description: 'Region, ISO 3166-2.', example: 'US-CA', ...REGION, optional: true })
  region?: string;
  @OneOf(JURISDICTION_SOURCES, {
    description: 'How the place is known, as in a consent record.',
    example: 'DECLARED',
    optional: true,
  })
  source?: Jurisdiction['source'];
}

export class RequesterDto {
  @OneOf(REQUESTER_TYPES, {
    description: 'Who sent the request: the subject, or a person who acts for the subject.',
    example: 'SELF',
  })
  type!: RequesterType;
  @Text({ description: 'Name. Encrypted, gone after erasure.', example: 'Ada L.', maxLength: 200, optional: true })
  name?: string;
  @Text({
    description: 'Where the requester is answered. Encrypted, gone after erasure.',
    example: 'ada@example.org',
    maxLength: 254,
    optional: true,
  })
  email?: string;
  @Text({
    description:
      'What shows that the requester may act for the subject: a reference to the mandate or the proof of custody, never the document. Required of agents and guardians. Encrypted, gone after erasure.',
    example: 'mandate 2026-17, signed 2026-11-02',
    maxLength: 500,
    optional: true,
  })
  evidence?: string;
}

export class CorrectionDto {
  @Text({
    description: 'What is wrong: a kind of identifier; or `country`, `locale`, `preference`.',
    example: 'email',
    maxLength: 47,
  })
  kind!: string;
  @Any({
    description:
      'What is right; null: nothing takes the place of what is wrong. Of an identifier its value, of `country` ISO 3166-1 alpha-2, of `locale` BCP 47, of a preference what its field takes. Encrypted, gone after erasure.',
    example: 'ada@example.net',
    types: VALUE_TYPES,
    maxBytes: VALUE_BYTES,
    depth: 2,
    masked: 'BY_KIND',
  })
  value!: FieldValue;
  @Text({
    description:
      'Of identifiers: the one that is wrong, which is removed. Left out: none is. Encrypted, gone after erasure.',
    example: 'ada@example.org',
    maxLength: 750,
    optional: true,
    masked: 'BY_KIND',
  })
  replaces?: string;
  @Text({
    description: 'Of preferences: key of the field, or `channels.<channel>.topics.<topic>`.',
    example: 'channels.email.topics.news',
    maxLength: 200,
    optional: true,
  })
  field?: string;
}

/** A request as it comes in. */
export class OpenDataRequestDto {
  @Text({
    description:
      'Whose data it is about: `<kind>:<value>`. An unknown reference makes its subject; an id must be known.',
    example: 'email:ada@example.org',
    maxLength: 800,
  })
  subject!: string;
  @OneOf(DATA_REQUEST_TYPES, { description: 'What is requested.', example: 'ACCESS' }) type!: DataRequestType;
  @Nested(() => PlaceDto, {
    description:
      'Where the requester is: its law sets the dates. Default: where the subject was last, else the subject’s own country, else the strictest rule.',
    optional: true,
  })
  jurisdiction?: PlaceDto;
  @Text({
    description: 'Short name of the act that the request names. Default: that of the place.',
    example: 'GDPR',
    maxLength: 20,
    pattern: '^[A-Z][A-Z0-9-]{1,19}$',
    patternHint: 'the short name of an act, in upper case',
    optional: true,
  })
  regulation?: string;
  @Text({
    description: 'What exactly, in the requester’s words. Encrypted, gone after erasure.',
    example: 'Please send me everything since 2024.',
    maxLength: 4000,
    optional: true,
  })
  details?: string;
  @ListOf(() => CorrectionDto, {
    description: 'Of a RECTIFICATION: what the requester wants to be put right.',
    minItems: 1,
    maxItems: CORRECTIONS_MAX,
    optional: true,
  })
  corrections?: CorrectionDto[];
  @Nested(() => RequesterDto, { description: 'Who sent it. Default: the subject.', optional: true })
  requester?: RequesterDto;
  @OneOf(REQUEST_SOURCES, { description: 'How it came in.', example: 'EMAIL', default: 'API', optional: true })
  source?: RequestSource;
  @Text({ description: 'Language of the requester, BCP 47.', ...LOCALE, optional: true }) locale?: string;
  @Timestamp({
    description: 'When it came in; periods begin there. Default: now. At most 5 minutes ahead.',
    optional: true,
  })
  receivedAt?: string;
}

export class OpenDataRequestsDto {
  @ListOf(() => OpenDataRequestDto, { description: 'Requests.', minItems: 1, maxItems: MOST_ITEMS })
  requests!: OpenDataRequestDto[];
}

const NOTE = {
  description: 'For the record, in your words. Encrypted, gone after erasure.',
  example: 'Agreed by phone.',
  maxLength: 2000,
  optional: true,
} as const;

export class VerifyDataRequestDto {
  @OneOf(REQUEST_VERIFICATIONS, {
    description: 'How it is known that the subject sent it, or that the requester may act for the subject.',
    example: 'OPERATOR',
    default: 'OPERATOR',
    optional: true,
  })
  method?: RequestVerification;
}

export class HoldDataRequestDto {
  @OneOf(HOLD_REASONS, {
    description:
      'Why it waits. While it waits for the requester the period stands still, where the law of the place says so.',
    example: 'AWAITING_REQUESTER',
  })
  reason!: HoldReason;
  @Text(NOTE) note?: string;
}

export class ExtendDataRequestDto {
  @Text({ ...NOTE, description: `The reason that the requester reads. ${NOTE.description}` }) note?: string;
}

export class CompleteDataRequestDto {
  @OneOf(COMPLETION_OUTCOMES, {
    description: '`PARTIALLY_COMPLETED`: a part of it had to be refused; say which in the note.',
    example: 'COMPLETED',
    default: 'COMPLETED',
    optional: true,
  })
  outcome?: CompletionOutcome;
  @Text(NOTE) note?: string;
  @ListOf(() => CorrectionDto, {
    description:
      'Of a RECTIFICATION: what is put right. Identifiers are taken as known to be the subject’s own. Default: what the requester asked for, whose identifiers are not known to be.',
    maxItems: CORRECTIONS_MAX,
    optional: true,
  })
  corrections?: CorrectionDto[];
}

export class PlanDataRequestDto {
  @ListOf(() => CorrectionDto, {
    description: 'Of a RECTIFICATION: as they would be sent to complete it.',
    maxItems: CORRECTIONS_MAX,
    optional: true,
  })
  corrections?: CorrectionDto[];
}

export class RejectDataRequestDto {
  @OneOf(REJECTION_REASONS, { description: 'Why.', example: 'INSUFFICIENT_VERIFICATION' })
  reasonCode!: RejectionReason;
  @Text(NOTE) note?: string;
}

const CANCELED_FOR = CANCELLATION_REASONS.filter((reason) => reason !== 'SUBJECT_ERASED');

export class CancelDataRequestDto {
  @OneOf(CANCELED_FOR, {
    description: 'Why. Not together with `duplicateOf`.',
    example: 'WITHDRAWN_BY_REQUESTER',
    default: 'WITHDRAWN_BY_REQUESTER',
    optional: true,
  })
  reason?: Exclude<CancellationReason, 'SUBJECT_ERASED'>;
  @Text({
    description:
      'Id of the request of the same subject and type that is answered instead: this one becomes a DUPLICATE.',
    ...REQUEST_ID,
    optional: true,
  })
  duplicateOf?: string;
  @Text(NOTE) note?: string;
}

export class AssignDataRequestDto {
  @Text({
    description: 'Id of the operator who works on it from now on; null: none does.',
    ...OPERATOR_ID,
    pattern: '^op[rt]_[A-Za-z0-9]{1,26}$',
    patternHint: 'the id of an operator',
    nullable: true,
  })
  assignee!: string | null;
}

export class NoteDataRequestDto {
  @Text({
    description: 'What is to be written down. Encrypted, gone after erasure; no webhook, page or archive shows it.',
    example: 'Called, no answer.',
    maxLength: 2000,
  })
  text!: string;
}
