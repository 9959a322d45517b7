import {
  Any,
  Flag,
  FreeObject,
  ListOf,
  MapOf,
  Nested,
  OneOf,
  Text,
  Timestamp,
  Whole,
} from '../../http/contract/fields.js';
import { KeptActorDto, KeptCollectionDto, ProvenanceDto } from '../../consent/dto.js';
import { PresentationDto } from '../../catalogue/dto.js';
import { FIELD_KINDS, type Presentation } from '../../catalogue/index.js';
import { SOURCES, type Actor, type Collection } from '../../consent/index.js';
import { ReaderSubjectDto } from '../../subjects/dto.js';
import { CHANNEL, OptOutChangeDto, PreferenceChangeDto, VALUE_BYTES, VALUE_TYPES } from '../dto.js';
import { TOPIC_STATES, type FieldValue } from '../events.js';
import { BLOCKED_BY } from '../view.js';

const FIELD = { example: 'channels.email.topics.news', maxLength: 200 } as const;

export class PreferencesQuery {
  @Flag({
    description: 'Fold the subject’s stream instead of reading rows or caches: never misses an acknowledged write.',
    example: true,
    optional: true,
  })
  fresh?: boolean;
  @Timestamp({ description: 'What was wanted as said by that instant.', optional: true }) asOf?: string;
}

export class PreferenceHistoryQuery {
  @Text({
    description:
      'Only this field: its key, the full path of a topic, or `globalOptOut`. What became of mails is left out then.',
    ...FIELD,
    optional: true,
  })
  field?: string;
  @Timestamp({ description: 'Recorded at or after.', optional: true }) from?: string;
  @Timestamp({ description: 'Recorded before.', optional: true }) to?: string;
  @Whole({ description: 'Items on a page.', example: 50, min: 1, max: 200, default: 50, optional: true })
  limit?: number;
  @Text({ description: 'The `nextCursor` of the page before.', example: 'eyJ2IjoxfQ', maxLength: 200, optional: true })
  cursor?: string;
}

export class GlobalOptOutDto {
  @OneOf(['NONE', 'ACTIVE'], { description: 'ACTIVE: nothing may be sent on any channel.', example: 'NONE' })
  state!: string;
  @Timestamp({ description: 'Since when; null where it was never named.', nullable: true }) since!: string | null;
}

export class TopicPreferenceDto {
  @OneOf(TOPIC_STATES, {
    description: 'PENDING: wanted, and waiting for the double opt-in. EXPIRED: it was not confirmed in time.',
    example: 'GRANTED',
  })
  state!: string;
  @Timestamp({ description: 'Since when; null where nothing was said.', nullable: true }) since!: string | null;
  @Timestamp({
    description: 'When the owner of the address confirmed; null where no confirmation was asked for.',
    nullable: true,
  })
  confirmedAt!: string | null;
  @Timestamp({ description: 'PENDING: when the link runs out; null as long as none was made.', nullable: true })
  expiresAt!: string | null;
  @Text({ description: 'How often; null for no wish.', example: 'WEEKLY', maxLength: 64, nullable: true }) frequency!:
    string | null;
  @Timestamp({
    description: 'The topic rests until then; null where it does not.',
    nullable: true,
    example: '2027-01-01T00:00:00.000Z',
  })
  pausedUntil!: string | null;
  @Flag({ description: 'Whether something may be sent now, all of this considered.', example: true })
  sendable!: boolean;
  @OneOf(BLOCKED_BY, { description: 'Why not; the first reason that holds.', example: null, nullable: true })
  blockedBy!: string | null;
}

export class ChannelPreferencesDto {
  @OneOf(TOPIC_STATES, { description: 'The most that any of its topics allows.', example: 'GRANTED' }) state!: string;
  @Flag({
    description:
      'Whether the subject has a verified address of the kind that the channel needs; always true where it needs none.',
    example: true,
  })
  verified!: boolean;
  @MapOf(() => TopicPreferenceDto, {
    description: 'Every topic of the template, and those that were chosen before it changed.',
    maxKeys: 1000,
  })
  topics!: Record<string, TopicPreferenceDto>;
}

export class TypedFieldDto {
  @OneOf(FIELD_KINDS, { description: 'Kind of the field.', example: 'SELECT' }) type!: string;
  @Any({
    description: 'Its value.',
    example: 'de',
    types: VALUE_TYPES,
    maxBytes: VALUE_BYTES,
    depth: 2,
    items: { type: 'string' },
  })
  value!: FieldValue;
  @Timestamp({ description: 'When it was said.' }) updatedAt!: string;
}

export class PreferencesDto {
  @Nested(() => ReaderSubjectDto, { description: 'The subject.' }) subject!: ReaderSubjectDto;
  @Whole({
    description: 'Revision of the subject’s stream that the answer reflects; -1 before anything was said.',
    example: 2,
    min: -1,
  })
  revision!: number;
  @Timestamp({ description: 'Last change; null where nothing was ever said.', nullable: true }) updatedAt!:
    string | null;
  @Nested(() => GlobalOptOutDto, { description: 'Whether anything may be sent at all.' })
  globalOptOut!: GlobalOptOutDto;
  @MapOf(() => ChannelPreferencesDto, { description: 'Every channel of the template.', maxKeys: 1000 })
  channels!: Record<string, ChannelPreferencesDto>;
  @MapOf(() => TypedFieldDto, { description: 'Typed fields that have a value, by key.', maxKeys: 10_000 })
  fields!: Record<string, TypedFieldDto>;
}

class KeptChangeDto extends PreferenceChangeDto {
  @Any({
    description:
      'What was asked for; null where only frequency or pause were named, where a field was cleared, and after erasure.',
    example: true,
    types: VALUE_TYPES,
    maxBytes: VALUE_BYTES,
    depth: 2,
    items: { type: 'string' },
  })
  override value!: FieldValue;
  @Text({ description: 'How often.', example: 'WEEKLY', maxLength: 64, optional: true, nullable: true }) frequency?:
    string | null;
  @Timestamp({ description: 'Until when it was to rest.', optional: true, nullable: true }) pausedUntil?: string | null;
}

export class ConfirmedFieldDto {
  @Text({ description: 'Full path of the topic.', ...FIELD }) field!: string;
  @Text({ description: 'Its channel.', ...CHANNEL }) channel!: string;
  @Text({ description: 'The topic.', example: 'news', maxLength: 64 }) topic!: string;
  @OneOf(TOPIC_STATES, { description: 'State before.', example: 'PENDING', optional: true }) previousState?: string;
  @OneOf(TOPIC_STATES, {
    description: 'State after; absent for a request that ran out before the service recorded it.',
    example: 'GRANTED',
    optional: true,
  })
  state?: string;
}

export class TemplateShownDto {
  @Whole({ description: 'Version of the preference template in force; 0 for none.', example: 1 }) version!: number;
  @Text({ description: 'Language of its texts.', example: 'en', maxLength: 35 }) locale!: string;
  @Text({
    description: 'Content hash of the template in that language.',
    example: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    maxLength: 71,
  })
  contentHash!: string;
}

export class ConfirmationTextDto {
  @Text({ description: 'Language.', example: 'en', maxLength: 35 }) language!: string;
  @OneOf(['ltr', 'rtl'], { description: 'Its direction.', example: 'ltr' }) dir!: string;
  @Text({ description: 'Title.', example: 'Please confirm', maxLength: 1000, minLength: 0 }) title!: string;
  @ListOf(() => 'string', {
    description: 'Paragraphs.',
    example: ['You asked for: News.'],
    maxItems: 200,
    of: { maxLength: 4000, minLength: 0 },
  })
  paragraphs!: string[];
  @Text({ description: 'On the button.', example: 'Confirm', maxLength: 1000, minLength: 0 }) button!: string;
  @Text({ description: 'Below.', example: 'Demo Shop', maxLength: 4000, minLength: 0 }) footer!: string;
}

export class RequestedMailDto {
  @Text({
    description: 'Id of the identifier that it goes to.',
    example: 'idn_01KAK3V0ZC8W9J2M4N6P8Q0R2S',
    maxLength: 30,
  })
  identifierId!: string;
  @Text({ description: 'Message-ID.', example: '<01KAK3V0ZC8W9J2M4N6P8Q0R2S@shop.example>', maxLength: 1000 })
  messageId!: string;
  @Text({ description: 'Subject line.', example: 'Please confirm', maxLength: 1000 }) subject!: string;
}

export class MailDeliveryDto {
  @Text({ description: 'Message-ID.', example: '<01KAK3V0ZC8W9J2M4N6P8Q0R2S@shop.example>', maxLength: 1000 })
  messageId!: string;
  @OneOf(['ACCEPTED', 'FAILED'], { description: 'Whether a mail server took it.', example: 'ACCEPTED' })
  outcome!: string;
  @Text({ description: 'Its code.', example: '250', maxLength: 100, nullable: true }) code!: string | null;
  @Text({
    description: 'Its words, without addresses.',
    example: '2.0.0 Ok: queued',
    maxLength: 4000,
    minLength: 0,
    nullable: true,
  })
  response!: string | null;
  @Whole({ description: 'Attempts it took.', example: 1 }) attempts!: number;
}

export const PREFERENCE_HISTORY_OBJECTS = [
  'preference_record',
  'preference_confirmation_request',
  'preference_confirmation_mail',
  'preference_confirmation',
  'preference_confirmation_expiry',
] as const;

/** Everything that was recorded, as one line of history. */
export class PreferenceHistoryItemDto {
  @OneOf(PREFERENCE_HISTORY_OBJECTS, {
    description:
      'Something said; a request for confirmation, what became of its mail, its confirmation, or its running out.',
    example: 'preference_record',
  })
  object!: (typeof PREFERENCE_HISTORY_OBJECTS)[number];
  @Text({
    description: 'Id of the record; of the request for a request, its mail and its running out.',
    example: 'rec_01KAK3V0ZC8W9J2M4N6P8Q0R2S',
    maxLength: 30,
  })
  id!: string;
  @Whole({ description: 'Place in the subject’s history, counted from 0.', example: 2 }) sequence!: number;
  @Text({ description: 'Id of the event in the log.', example: '0b5d6d0e-5b0a-5d3c-9a5e-7c1b2d4e8f90', maxLength: 36 })
  eventId!: string;
  @Text({
    description: 'Id of the receipt, where there is one.',
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
  @Timestamp({ description: 'When the service recorded it.' }) recordedAt!: string;
  @ListOf(() => KeptChangeDto, { description: 'Record: what was said.', maxItems: 100, optional: true })
  changes?: KeptChangeDto[];
  @Nested(() => OptOutChangeDto, { description: 'Record: what became of the global opt-out.', optional: true })
  globalOptOut?: OptOutChangeDto;
  @OneOf(SOURCES, { description: 'Record: who asserts it.', example: 'API', optional: true }) source?: string;
  @Timestamp({ description: 'Record: when it was said.', optional: true }) givenAt?: string;
  @Flag({
    description: 'True of an import or a migration without a date: `givenAt` is when it was recorded.',
    example: true,
    optional: true,
  })
  undated?: boolean;
  @Text({
    description: 'Confirmation: id of its request.',
    example: 'rec_01KAK3V0ZC8W9J2M4N6P8Q0R2S',
    maxLength: 30,
    optional: true,
  })
  requestId?: string;
  @ListOf(() => ConfirmedFieldDto, {
    description: 'Request, confirmation, running out: the topics.',
    maxItems: 100,
    optional: true,
  })
  fields?: ConfirmedFieldDto[];
  @ListOf(() => 'string', {
    description: 'Record, request: requests for confirmation that it ended.',
    example: [],
    maxItems: 100,
    of: { maxLength: 30 },
    optional: true,
  })
  endedRequests?: string[];
  @Text({
    description: 'Record: id of the record by a link that it takes back.',
    example: 'rec_01KAK3V0ZC8W9J2M4N6P8Q0R2S',
    maxLength: 30,
    optional: true,
  })
  undoes?: string;
  @Timestamp({ description: 'Request: when its link runs out. Running out: when it did.', optional: true })
  expiresAt?: string;
  @Text({
    description: 'Request: where the click leads; null after erasure.',
    example: 'https://shop.example/thanks',
    maxLength: 2048,
    optional: true,
    nullable: true,
  })
  redirectUrl?: string | null;
  @Nested(() => TemplateShownDto, { description: 'Record, request: the template in force.', optional: true })
  template?: TemplateShownDto;
  @Nested(() => ConfirmationTextDto, {
    description: 'Request: the text that the recipient reads, word for word.',
    optional: true,
  })
  text?: ConfirmationTextDto;
  @Nested(() => RequestedMailDto, { description: 'Request: the mail, where the service sends it.', optional: true })
  mail?: RequestedMailDto;
  @Nested(() => MailDeliveryDto, { description: 'Mail: what became of it.', optional: true })
  delivery?: MailDeliveryDto;
  @Timestamp({ description: 'Confirmation: when the owner of the address said so.', optional: true })
  confirmedAt?: string;
  @OneOf(['PAGE', 'API'], {
    description: 'Confirmation: by the page behind the link, or by a program.',
    example: 'PAGE',
    optional: true,
  })
  via?: string;
  @Nested(() => KeptCollectionDto, { description: 'Record: how it was collected.', optional: true })
  collection?: Collection;
  @Nested(() => PresentationDto, {
    description: 'Record: what was shown, as its presentation token stated it.',
    optional: true,
  })
  presentation?: Presentation;
  @Nested(() => KeptActorDto, { description: 'Record: who decided.', optional: true }) actor?: Actor;
  @FreeObject({
    description: 'Record: your own facts; null after erasure.',
    example: { campaign: 'autumn' },
    maxKeys: 20,
    maxBytes: 4096,
    depth: 4,
    optional: true,
    nullable: true,
  })
  metadata?: Record<string, unknown> | null;
  @Nested(() => ProvenanceDto, { description: 'What the request itself showed, minimised.', optional: true })
  provenance?: ProvenanceDto;
}

export class PreferenceHistoryDto {
  @ListOf(() => PreferenceHistoryItemDto, { description: 'Newest first.', maxItems: 200 })
  data!: PreferenceHistoryItemDto[];
  @Text({ description: 'Cursor of the next page.', example: null, maxLength: 200, nullable: true }) nextCursor!:
    string | null;
  @Flag({ description: 'Whether more may follow.', example: false }) hasMore!: boolean;
}
