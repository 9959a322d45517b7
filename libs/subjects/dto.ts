import { COUNTRY as A_COUNTRY } from '../http/country.js';
import { Flag, FreeObject, ListOf, Nested, OneOf, Text, Timestamp } from '../http/contract/fields.js';
import {
  CARRY_OVERS,
  CONFLICT_POLICIES,
  ERASURE_REASONS,
  VERIFICATION_METHODS,
  type CarryOver,
  type ConflictPolicy,
  type ErasureReason,
} from './events.js';
import { SUBJECT_STATES } from './view.js';

export * from './batches/dto.js';
export { BATCH_MODES, type BatchMode } from './events.js';

const KIND = { maxLength: 47, pattern: '^[a-z][a-z0-9_.]{0,46}$', patternHint: 'an identifier kind' } as const;
const REF = { example: 'email:ada@example.org', maxLength: 800 } as const;
const ID = { example: 'sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S', maxLength: 30 } as const;
const SOURCES = ['API', 'IMPORT', 'MIGRATION'] as const;
const COUNTRY = { example: 'DE', ...A_COUNTRY } as const;
const LOCALE = {
  example: 'de-AT',
  maxLength: 35,
  pattern: '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}$',
  patternHint: 'a language tag',
} as const;

export class NewIdentifierDto {
  @Text({
    description: 'email, phone, user_id, external_id, visitor_id, device_id, idfa, idfv, gaid or `custom.<slug>`.',
    example: 'email',
    ...KIND,
  })
  kind!: string;
  @Text({
    description:
      'Normalised before it is looked up: e-mail trimmed, NFKC, lower case, IDNA domain (dots and plus kept); phone E.164, without a trunk prefix; UUIDs lower case; others trimmed, NFC. What cannot be normalised is refused.',
    example: 'ada@example.org',
    maxLength: 750,
  })
  value!: string;
  @Flag({ description: 'You know that it is the subject’s own.', example: true, default: false, optional: true })
  verified?: boolean;
}

export class CreateSubjectDto {
  @ListOf(() => NewIdentifierDto, { description: 'What names the subject.', minItems: 1, maxItems: 20 })
  identifiers!: NewIdentifierDto[];
  @Text({ description: 'Language of the subject, BCP 47.', ...LOCALE, optional: true }) locale?: string;
  @Text({ description: 'Country of the subject, ISO 3166-1.', ...COUNTRY, optional: true }) country?: string;
  @FreeObject({
    description: 'Your own facts about the subject. Encrypted, gone after erasure.',
    example: { tier: 'gold' },
    maxKeys: 20,
    maxBytes: 4096,
    depth: 4,
    optional: true,
  })
  metadata?: Record<string, unknown>;
  @OneOf(SOURCES, { description: 'Where the identifiers come from.', example: 'API', default: 'API', optional: true })
  source?: (typeof SOURCES)[number];
}

export class AddIdentifierDto extends NewIdentifierDto {
  @OneOf(CARRY_OVERS, {
    description:
      'Which decisions of an anonymous visitor follow the person: IF_DENIED lets refusals follow, not grants.',
    example: 'IF_DENIED',
    default: 'IF_DENIED',
    optional: true,
  })
  carryOver?: CarryOver;
  @OneOf(SOURCES, { description: 'Where the identifier comes from.', example: 'API', default: 'API', optional: true })
  source?: (typeof SOURCES)[number];
}

export class IdentifierDto {
  @Text({ description: 'Id of the identifier.', example: 'idn_01KAK3V0ZC8W9J2M4N6P8Q0R2S', maxLength: 30 }) id!: string;
  @Text({ description: 'Kind.', example: 'email', ...KIND }) kind!: string;
  @Text({
    description: 'The value, normalised; null once it is forgotten. Operators get it masked.',
    example: 'ada@example.org',
    maxLength: 750,
    nullable: true,
    masked: true,
  })
  value!: string | null;
  @Flag({ description: 'Whether it is known to be the subject’s own.', example: true }) verified!: boolean;
  @Timestamp({ description: 'Since when that is known.', nullable: true }) verifiedAt!: string | null;
  @OneOf(VERIFICATION_METHODS, { description: 'How it is known.', example: 'DOUBLE_OPT_IN', nullable: true })
  verificationMethod!: string | null;
  @Flag({ description: 'The first of its kind.', example: true }) primary!: boolean;
  @OneOf(SOURCES, { description: 'Where it came from.', example: 'API' }) source!: string;
  @Timestamp({ description: 'When it was added.' }) addedAt!: string;
}

export class SubjectDto {
  @Text({ description: 'Id of the subject; random, says nothing.', ...ID }) id!: string;
  @OneOf(['subject'], { description: 'What this is.', example: 'subject' }) object!: string;
  @OneOf(SUBJECT_STATES, {
    description:
      'MERGED: part of `mergedInto`. RESTRICTED: under a legal hold, nothing may be erased. ERASED: only this marker is left.',
    example: 'ACTIVE',
  })
  state!: string;
  @Text({ description: 'The subject that it is part of.', ...ID, nullable: true }) mergedInto!: string | null;
  @ListOf(() => IdentifierDto, {
    description: 'Its identifiers and those of the subjects merged into it.',
    maxItems: 100_000,
  })
  identifiers!: IdentifierDto[];
  @Text({ description: 'Language, BCP 47.', ...LOCALE, nullable: true }) locale!: string | null;
  @Text({ description: 'Country, ISO 3166-1.', ...COUNTRY, nullable: true }) country!: string | null;
  @FreeObject({ description: 'Your own facts.', example: { tier: 'gold' }, maxKeys: 20, maxBytes: 4096, depth: 4 })
  metadata!: Record<string, unknown>;
  @Timestamp({ description: 'When the legal hold ends; null where it has no end, or there is none.', nullable: true })
  restrictedUntil!: string | null;
  @Timestamp({ description: 'When it was first seen.', nullable: true }) createdAt!: string | null;
  @Timestamp({ description: 'Last change of the subject itself.', nullable: true }) updatedAt!: string | null;
}

export class MergeSubjectsDto {
  @ListOf(() => 'string', {
    description: 'References of the subjects that are absorbed.',
    example: ['visitor_id:7f2c1e6ab0d94c3f8e5d2a1b4c6f8e90'],
    minItems: 1,
    maxItems: 20,
    of: { maxLength: 800 },
  })
  sources!: string[];
  @Text({ description: 'Reference of the subject that survives.', ...REF }) target!: string;
  @OneOf(CONFLICT_POLICIES, {
    description: 'What stands where they said different things: the refusal, the latest, or the target’s.',
    example: 'MOST_RESTRICTIVE',
    default: 'MOST_RESTRICTIVE',
    optional: true,
  })
  conflictPolicy?: ConflictPolicy;
  @Flag({
    description: 'Only say what would be merged and which conflicts there are.',
    example: false,
    default: false,
    optional: true,
  })
  dryRun?: boolean;
  @Text({
    description: 'Why, for the record. Encrypted, gone after erasure.',
    example: 'same customer, ticket 4711',
    maxLength: 500,
    optional: true,
  })
  reason?: string;
}

export class MergeValueDto {
  @Text({ description: 'Whose value.', ...ID }) subject!: string;
  @Text({ description: 'The state, or for a field that it has a value.', example: 'DENIED', maxLength: 40 })
  state!: string;
  @Timestamp({ description: 'When it was given.', nullable: true }) givenAt!: string | null;
}

export class MergeConflictDto {
  @Text({ description: 'Purpose on which they differ.', example: 'marketing', maxLength: 64, optional: true })
  purpose?: string;
  @Text({
    description: 'Preference on which they differ; `vendors.TCF`, `vendors.GOOGLE`: decisions about single vendors.',
    example: 'channels.email.topics.news',
    maxLength: 200,
    optional: true,
  })
  field?: string;
  @ListOf(() => MergeValueDto, { description: 'What each of them had.', maxItems: 2 }) values!: MergeValueDto[];
  @Text({ description: 'The subject whose value stands.', ...ID }) chosen!: string;
  @Text({ description: 'The rule that chose.', example: 'MOST_RESTRICTIVE', maxLength: 40 }) rule!: string;
}

export class SubjectIdOnlyDto {
  @Text({ description: 'Id of the subject.', ...ID }) id!: string;
}

export class ReaderSubjectDto {
  @Text({
    description: 'Id of the subject; null where nothing was ever recorded for the reference.',
    example: 'sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S',
    maxLength: 30,
    nullable: true,
  })
  id!: string | null;
}

export class MergeResultDto {
  @Text({
    description: 'Id of the merge; what it takes to revert it. Null for a dry run.',
    example: 'mrg_01KAK3V0ZC8W9J2M4N6P8Q0R2S',
    maxLength: 30,
    nullable: true,
  })
  mergeId!: string | null;
  @Nested(() => SubjectIdOnlyDto, { description: 'The survivor.' }) target!: SubjectIdOnlyDto;
  @ListOf(() => 'string', {
    description: 'Subjects that are part of it now.',
    example: ['sub_01KAK3V0ZC8W9J2M4N6P8Q0R2T'],
    maxItems: 20,
    of: { maxLength: 30 },
  })
  merged!: string[];
  @ListOf(() => MergeConflictDto, {
    description: 'Everything on which they differed; empty where they did not.',
    maxItems: 100_000,
  })
  conflicts!: MergeConflictDto[];
  @Flag({ description: 'Whether nothing was done.', example: false }) dryRun!: boolean;
}

export class RevertMergeDto {
  @Text({
    description: 'Why, for the record. Encrypted, gone after erasure.',
    example: 'two people share the address',
    maxLength: 500,
    optional: true,
  })
  reason?: string;
}

export class RevertResultDto {
  @Text({ description: 'Id of the merge.', example: 'mrg_01KAK3V0ZC8W9J2M4N6P8Q0R2S', maxLength: 30 }) mergeId!: string;
  @Nested(() => SubjectIdOnlyDto, { description: 'The subject that had survived.' }) target!: SubjectIdOnlyDto;
  @ListOf(() => 'string', {
    description: 'Subjects that are their own again.',
    example: ['sub_01KAK3V0ZC8W9J2M4N6P8Q0R2T'],
    maxItems: 1000,
    of: { maxLength: 30 },
  })
  restored!: string[];
  @Timestamp({ description: 'When it was reverted.' }) revertedAt!: string;
}

export class RestrictSubjectDto {
  @Timestamp({
    description: 'When the hold ends by itself. Default: never.',
    example: '2028-01-01T00:00:00.000Z',
    optional: true,
  })
  until?: string;
  @Text({
    description: 'Why, for the record. Encrypted, gone after erasure.',
    example: 'litigation 12 O 34/26',
    maxLength: 500,
    optional: true,
  })
  reason?: string;
}

export class LiftRestrictionDto {
  @Text({
    description: 'Why, for the record. Encrypted, gone after erasure.',
    example: 'case closed',
    maxLength: 500,
    optional: true,
  })
  reason?: string;
}

export class EraseSubjectDto {
  @OneOf(ERASURE_REASONS, {
    description: 'GDPR art. 17(1).',
    example: 'DATA_SUBJECT_REQUEST',
    default: 'DATA_SUBJECT_REQUEST',
    optional: true,
  })
  reason?: ErasureReason;
}

export class ErasureEventDto {
  @OneOf(['erasure'], { description: 'What happened.', example: 'erasure' }) type!: string;
  @OneOf(['ERASED'], { description: 'The state since.', example: 'ERASED' }) state!: string;
  @Timestamp({ description: 'When.' }) at!: string;
  @Text({ description: 'GDPR art. 17(1).', example: 'DATA_SUBJECT_REQUEST', maxLength: 64, nullable: true }) reason!:
    string | null;
}

export class ErasedDto {
  @ListOf(() => 'string', {
    description: 'Every subject whose key was destroyed: the one asked for and those merged into it.',
    example: [ID.example],
    maxItems: 1001,
    of: { maxLength: 30 },
  })
  subjects!: string[];
  @ListOf(() => 'string', {
    description: 'What was destroyed.',
    example: ['SUBJECT_KEY', 'IDENTIFIERS'],
    maxItems: 20,
    of: { maxLength: 64 },
  })
  destroyed!: string[];
}

export class KeptDto {
  @Text({ description: 'What is kept.', example: 'DECISIONS', maxLength: 64 }) what!: string;
  @Text({ description: 'As what.', example: 'ANONYMOUS_EVIDENCE', maxLength: 64 }) as!: string;
  @ListOf(() => 'string', {
    description: 'Under which exception.',
    example: ['GDPR art. 17(3)(e)'],
    maxItems: 10,
    of: { maxLength: 64 },
  })
  under!: string[];
}

export class ErasureReceiptBodyDto {
  @Text({ description: 'Schema of the receipt.', example: 'urn:consent-receipt:1', maxLength: 64 }) schema!: string;
  @Text({ description: 'Id of the receipt.', example: 'rct_01KAK3V0ZC8W9J2M4N6P8Q0R2S', maxLength: 30 }) id!: string;
  @Text({ description: 'Who issued it.', example: 'https://consent.shop.example', maxLength: 300 }) issuer!: string;
  @Text({ description: 'Site.', example: 'shop', maxLength: 40 }) site!: string;
  @Text({ description: 'Environment.', example: 'test', maxLength: 4 }) environment!: string;
  @Nested(() => SubjectIdOnlyDto, {
    description: 'The subject, by a pseudonym from which nothing leads to a person any more.',
  })
  subject!: SubjectIdOnlyDto;
  @Nested(() => ErasureEventDto, { description: 'What happened.' }) event!: ErasureEventDto;
  @Nested(() => ErasedDto, { description: 'What is gone.' }) erased!: ErasedDto;
  @ListOf(() => KeptDto, { description: 'What stays.', maxItems: 10 }) kept!: KeptDto[];
}

export class ErasureReceiptDto {
  @Nested(() => ErasureReceiptBodyDto, { description: 'The receipt.' }) receipt!: ErasureReceiptBodyDto;
  @Text({
    description:
      'Compact JWS (EdDSA) over the canonical JSON (RFC 8785) of `receipt`; verify it with /.well-known/jwks.json.',
    example: 'eyJhbGciOiJFZERTQSJ9.e30.AAAA',
    maxLength: 200_000,
  })
  jws!: string;
}

/** An identifier in a timeline: all of it where it was added, how it was verified where it was verified. */
export class TimelineIdentifierDto {
  @Text({ description: 'Id of the identifier.', example: 'idn_01KAK3V0ZC8W9J2M4N6P8Q0R2S', maxLength: 30 }) id!: string;
  @Text({ description: 'Added: kind.', example: 'email', ...KIND, optional: true }) kind?: string;
  @Text({
    description: 'Added: the value, normalised; null once it is forgotten. Operators get it masked.',
    example: 'ada@example.org',
    maxLength: 750,
    nullable: true,
    optional: true,
    masked: true,
  })
  value?: string | null;
  @Timestamp({ description: 'Since when it is known to be the subject’s own; null: it was not.', nullable: true })
  verifiedAt!: string | null;
  @OneOf(VERIFICATION_METHODS, { description: 'How that is known.', example: 'DOUBLE_OPT_IN', nullable: true })
  verificationMethod!: string | null;
  @Flag({ description: 'Added: the first of its kind.', example: true, optional: true }) primary?: boolean;
  @OneOf(SOURCES, { description: 'Added: where it came from.', example: 'API', optional: true }) source?: string;
}

export class RemovedIdentifierDto {
  @Text({ description: 'Id of the identifier.', example: 'idn_01KAK3V0ZC8W9J2M4N6P8Q0R2S', maxLength: 30 }) id!: string;
  @Text({ description: 'Kind.', example: 'email', ...KIND }) kind!: string;
}

export class TimelineRectifiedDto {
  @ListOf(() => RemovedIdentifierDto, { description: 'Identifiers that are the subject’s no more.', maxItems: 1000 })
  removed!: RemovedIdentifierDto[];
  @Text({
    description: 'Language that was set, BCP 47; null: none is known.',
    example: 'de-AT',
    maxLength: 35,
    nullable: true,
    optional: true,
  })
  locale?: string | null;
  @Text({
    description: 'Country that was set, ISO 3166-1; null: none is known.',
    example: 'DE',
    maxLength: 2,
    nullable: true,
    optional: true,
  })
  country?: string | null;
}

const REASON_SAID = {
  description: 'Why, in the caller’s words; null once it is forgotten.',
  example: 'Same person, says the shop.',
  maxLength: 1000,
  nullable: true,
  optional: true,
} as const;

/** A merge, or its revert, on the stream of one of its subjects. */
export class TimelineMergeDto {
  @Text({ description: 'Id of the merge.', example: 'mrg_01KAK3V0ZC8W9J2M4N6P8Q0R2S', maxLength: 30 }) id!: string;
  @OneOf(['SURVIVOR', 'ABSORBED'], {
    description: 'What the subject is in it whose event this is. A merge is an event of both.',
    example: 'SURVIVOR',
  })
  role!: string;
  @Nested(() => SubjectIdOnlyDto, { description: 'The subject that speaks for both.' }) survivor!: SubjectIdOnlyDto;
  @ListOf(() => SubjectIdOnlyDto, {
    description: 'Which subjects are part of it, or are so no more.',
    maxItems: 100_000,
  })
  absorbed!: SubjectIdOnlyDto[];
  @OneOf(CONFLICT_POLICIES, { description: 'Merge: whose value stands.', example: 'MOST_RESTRICTIVE', optional: true })
  policy?: string;
  @OneOf(CARRY_OVERS, {
    description: 'Merge: what of an anonymous visitor follows the person; null: two persons were merged.',
    example: null,
    nullable: true,
    optional: true,
  })
  carryOver?: string | null;
  @ListOf(() => MergeConflictDto, {
    description: 'Merge, of the survivor: on what they differed.',
    maxItems: 100_000,
    optional: true,
  })
  conflicts?: MergeConflictDto[];
  @OneOf(['REVERTED', 'VOID'], {
    description: 'Revert: whether it was asked for, or the merge gave way to another one.',
    example: 'REVERTED',
    optional: true,
  })
  cause?: string;
  @Text(REASON_SAID) reason?: string | null;
}

export class TimelineRestrictionDto {
  @Timestamp({ description: 'When it ends, or ended; null: it has no end.', nullable: true }) until!: string | null;
  @Text(REASON_SAID) reason?: string | null;
}

export class TimelineErasureDto {
  @OneOf(ERASURE_REASONS, { description: 'Why.', example: 'DATA_SUBJECT_REQUEST' }) reason!: string;
  @Nested(() => SubjectIdOnlyDto, { description: 'The subject that was asked about.' }) subject!: SubjectIdOnlyDto;
}

/** What an operator looks a subject up by. In a body, so that no address holds it. */
export class LookUpSubjectDto {
  @Text({ description: 'Kind of the identifier; or `subject` with an id.', example: 'email', ...KIND }) kind!: string;
  @Text({ description: 'Its value, which is normalised.', example: 'ada@example.org', maxLength: 750 }) value!: string;
}

export class FoundSubjectDto {
  @Nested(() => SubjectIdOnlyDto, { description: 'The subject; of a merged one the one that it is part of.' })
  subject!: SubjectIdOnlyDto;
}

export class RevealIdentifiersDto {
  @Text({
    description: 'Why the identifiers are needed in clear. It stays in the log in clear: name no person in it.',
    example: 'answer by letter, case 2026-17',
    maxLength: 500,
  })
  reason!: string;
}
