import { Any, Flag, FreeObject, ListOf, Nested, OneOf, Text, Timestamp, Whole } from '../../http/contract/fields.js';
import { ActorDto, CollectionDto } from '../../consent/dto.js';
import { GIVEN_SECONDS_AGO, SOURCES, type Actor, type Collection, type Source } from '../../consent/index.js';
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
  SubjectIdOnlyDto,
  type BatchMode,
} from '../../subjects/dto.js';
import { CHANNEL, OptOutChangeDto, PreferenceChangeDto, VALUE_BYTES, VALUE_TYPES } from '../dto.js';
import type { FieldValue } from '../events.js';

export class PreferenceValueDto {
  @Text({
    description:
      'Key of a field of the template; a topic, with `channel` beside `values`; or its full path `channels.<channel>.topics.<topic>`.',
    example: 'channels.email.topics.news',
    maxLength: 200,
  })
  field!: string;
  @Any({
    description:
      'What is wanted: true or false for a topic; for a typed field what the template takes, null to clear it.',
    example: true,
    types: VALUE_TYPES,
    maxBytes: VALUE_BYTES,
    depth: 2,
    optional: true,
  })
  value?: FieldValue;
  @Text({
    description: 'How often, one of the options of the topic; null for no wish.',
    example: 'WEEKLY',
    maxLength: 64,
    optional: true,
    nullable: true,
  })
  frequency?: string | null;
  @Timestamp({
    description: 'The topic rests until then; null ends a pause.',
    example: '2027-01-01T00:00:00.000Z',
    optional: true,
    nullable: true,
  })
  pausedUntil?: string | null;
}

/** What one subject wants, field by field. */
export class SetPreferencesDto {
  @Text({
    description: 'Whose preferences: `<kind>:<value>`.',
    example: 'visitor_id:7f2c1e6ab0d94c3f8e5d2a1b4c6f8e90',
    maxLength: 800,
  })
  subject!: string;
  @Text({ description: 'Channel of the topics that are named without one.', ...CHANNEL, optional: true })
  channel?: string;
  @ListOf(() => PreferenceValueDto, {
    description: 'Each field once. All of them are recorded together or none is.',
    maxItems: 100,
    optional: true,
  })
  values?: PreferenceValueDto[];
  @Flag({
    description:
      'true: nothing is sent on any channel, whatever its topics say, until it is set to false again. Ends every open request for confirmation.',
    example: false,
    optional: true,
  })
  globalOptOut?: boolean;
  @OneOf(SOURCES, {
    description:
      'IMPORT and MIGRATION: the caller asserts the record rather than the subject, double opt-in included; they need a secret key.',
    example: 'API',
    default: 'API',
    optional: true,
  })
  source?: Source;
  @Timestamp({
    description:
      'When it was said. Default now; at most 5 minutes ahead, and at most 24 hours back unless IMPORT or MIGRATION.',
    optional: true,
  })
  givenAt?: string;
  @Whole(GIVEN_SECONDS_AGO) givenSecondsAgo?: number;
  @Nested(() => CollectionDto, { description: 'How it was collected.', optional: true }) collection?: Collection;
  @Nested(() => ActorDto, { description: 'Who decided. Default: the subject.', optional: true }) actor?: Actor;
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

export class PreferenceBatchItemDto extends SetPreferencesDto {
  @Text(ITEM_KEY) idempotencyKey?: string;
}

export class SetPreferencesBatchDto {
  @ListOf(() => PreferenceBatchItemDto, RECORDS) records!: (PreferenceBatchItemDto | Misshapen)[];
  @OneOf(BATCH_MODES, BATCH_MODE) mode?: BatchMode;
  @Flag(DRY_RUN) dryRun?: boolean;
}

export class PreferenceRecordDto {
  @Text({ description: 'Id of the record.', example: 'rec_01KAK3V0ZC8W9J2M4N6P8Q0R2S', maxLength: 30 }) id!: string;
  @OneOf(['preference_record'], { description: 'What this is.', example: 'preference_record' }) object!: string;
  @Nested(() => SubjectIdOnlyDto, { description: 'Whose preferences.' }) subject!: SubjectIdOnlyDto;
  @ListOf(() => PreferenceChangeDto, { description: 'One for each value, in the order of the request.', maxItems: 100 })
  changes!: PreferenceChangeDto[];
  @Nested(() => OptOutChangeDto, {
    description: 'What became of the global opt-out; null where it was not named.',
    nullable: true,
  })
  globalOptOut!: OptOutChangeDto | null;
  @OneOf(SOURCES, { description: 'Who asserts the record.', example: 'API' }) source!: string;
  @Timestamp({ description: 'When it was said.' }) givenAt!: string;
  @Timestamp({ description: 'When the service recorded it.' }) recordedAt!: string;
  @Whole({ description: 'Place in the subject’s history, counted from 0.', example: 2 }) sequence!: number;
  @Text({ description: 'Id of the receipt.', example: 'rct_01KAK3V0ZC8W9J2M4N6P8Q0R2S', maxLength: 30 })
  receiptId!: string;
  @Text({
    description: 'With it the receipt can be read without a key, from every origin: `GET /v1/receipts/{id}?token=`.',
    example: 'rpt_mK2nq8bRk0xJmJm4nQfHj0Gq3v1m0XwqV9a1kM2c3d4',
    maxLength: 47,
  })
  receiptToken!: string;
}

export class PreferenceItemResultDto extends ItemResultDto {
  @Nested(() => PreferenceRecordDto, { description: 'The record.', optional: true }) record?: PreferenceRecordDto;
}

export class PreferenceBatchResultDto extends BatchOutcomeDto {
  @ListOf(() => PreferenceItemResultDto, RESULTS) results!: PreferenceItemResultDto[];
}
