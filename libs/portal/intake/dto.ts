import { CorrectionDto, PlaceDto, RequesterDto } from '../../data-requests/dto.js';
import {
  CORRECTIONS_MAX,
  DATA_REQUEST_STATES,
  DATA_REQUEST_TYPES,
  type DataRequestStateName,
  type DataRequestType,
} from '../../data-requests/index.js';
import { Flag, ListOf, Nested, OneOf, Text, Timestamp } from '../../http/contract/fields.js';

const HANDLE = {
  example: 'pcd_Zm9yIHRoZSBkb2NzIG9ubH',
  maxLength: 26,
  pattern: '^pcd_[A-Za-z0-9_-]{22}$',
  patternHint: 'a handle',
};

/** A request that a person makes on a page of the site. */
export class AskDto {
  @Text({
    description:
      'Whose data it is about. Without a token: an e-mail address or, to opt out, an anonymous visitor or a phone number. With a token: whom it names.',
    example: 'email:ada@example.org',
    maxLength: 800,
  })
  subject!: string;
  @OneOf(DATA_REQUEST_TYPES, { description: 'What is requested.', example: 'ACCESS' }) type!: DataRequestType;
  @Nested(() => PlaceDto, { description: 'Where the requester is: its law sets the dates.', optional: true })
  jurisdiction?: PlaceDto;
  @Text({
    description: 'What exactly, in the requester’s words. Encrypted, gone after erasure.',
    example: 'Please send me everything since 2024.',
    maxLength: 4000,
    optional: true,
  })
  details?: string;
  @ListOf(() => CorrectionDto, {
    description: 'Of a RECTIFICATION: what is to be put right. No subject is looked up before it is known who sent it.',
    minItems: 1,
    maxItems: CORRECTIONS_MAX,
    optional: true,
  })
  corrections?: CorrectionDto[];
  @Nested(() => RequesterDto, { description: 'Who sends it. Default: the subject.', optional: true })
  requester?: RequesterDto;
  @Text({
    description: 'Language of the requester and of the mail, BCP 47. Default: that of the site.',
    example: 'de-AT',
    maxLength: 35,
    pattern: '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}$',
    patternHint: 'a language tag',
    optional: true,
  })
  locale?: string;
}

export class EnterCodeDto {
  @Text({ description: 'Of the request, as it was answered.', ...HANDLE }) handle!: string;
  @Text({
    description: 'The six digits of the mail; blanks between them do not matter.',
    example: '042137',
    maxLength: 20,
  })
  code!: string;
}

/** What a person who proved to be the subject sees of their request. */
export class OwnRequestDto {
  @Text({ description: 'Id of the request.', example: 'dsr_01KAK3V0ZC8W9J2M4N6P8Q0R2S', maxLength: 30 }) id!: string;
  @OneOf(DATA_REQUEST_TYPES, { description: 'What is requested.', example: 'ACCESS' }) type!: DataRequestType;
  @OneOf(DATA_REQUEST_STATES, { description: 'How far it is.', example: 'VERIFIED' }) state!: DataRequestStateName;
  @Text({ description: 'Act; null where none is known.', example: 'GDPR', maxLength: 40, nullable: true })
  regulation!: string | null;
  @Timestamp({ description: 'When it came in.' }) receivedAt!: string;
  @Timestamp({
    description: 'When its receipt must have been confirmed; null: the law does not say.',
    nullable: true,
    example: null,
  })
  acknowledgeBy!: string | null;
  @Timestamp({
    description: 'When it must be answered; null: the clock stands still, or the law sets no period.',
    nullable: true,
  })
  dueAt!: string | null;
  @Timestamp({ description: 'The same with its extension; null: it was not extended.', nullable: true, example: null })
  extendedDueAt!: string | null;
  @Flag({ description: 'True: one of this type was open already, which is this one.', example: false })
  duplicate!: boolean;
}

export class CodeNeededDto {
  @OneOf(['EMAIL_CODE'], { description: 'How to prove it: a code was mailed.', example: 'EMAIL_CODE' })
  method!: 'EMAIL_CODE';
  @Text({ description: 'Send it back with the code.', ...HANDLE }) handle!: string;
  @Timestamp({ description: 'Until when the code is good.' }) expiresAt!: string;
}

export class AskedDto {
  @OneOf(['portal_request'], { description: 'What this is.', example: 'portal_request' }) object!: 'portal_request';
  @OneOf(DATA_REQUEST_TYPES, { description: 'What is requested.', example: 'ACCESS' }) type!: DataRequestType;
  @OneOf(['ACCEPTED', 'CODE_NEEDED'], {
    description:
      'ACCEPTED: it was received, and opt-outs take effect at once. CODE_NEEDED: nothing is done before the code.',
    example: 'CODE_NEEDED',
  })
  status!: 'ACCEPTED' | 'CODE_NEEDED';
  @Nested(() => CodeNeededDto, { description: 'What is to be proved; null: nothing.', nullable: true })
  verification!: CodeNeededDto | null;
  @Nested(() => OwnRequestDto, {
    description: 'The request; null to who has not shown to be the subject.',
    nullable: true,
  })
  request!: OwnRequestDto | null;
}
