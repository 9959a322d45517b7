import { PresentationDto } from '../catalogue/dto.js';
import { KeptActorDto } from '../consent/dto.js';
import { ConsentHistoryItemDto } from '../consent/services.js';
import { TimelineRequestDto } from '../data-requests/dto.js';
import { Flag, ListOf, Nested, Text, Timestamp } from '../http/contract/fields.js';
import { ListQuery } from '../http/list.js';
import { PreferenceHistoryItemDto } from '../preferences/services.js';
import {
  TimelineErasureDto,
  TimelineIdentifierDto,
  TimelineMergeDto,
  TimelineRectifiedDto,
  TimelineRestrictionDto,
} from '../subjects/dto.js';

const TYPE = { maxLength: 64, pattern: '^[a-z][a-z_]*$', patternHint: 'the name of an event in lower_snake' } as const;

export class TimelineQuery extends ListQuery {
  @ListOf(() => 'string', {
    description: 'Only these types of event, as items name them; repeatable. Left out: all.',
    example: ['consent_recorded', 'data_request_received'],
    maxItems: 50,
    of: TYPE,
    optional: true,
  })
  types?: string[];
}

export class TimelineNoticeDto {
  @Text({ description: 'Language of the text in force.', example: 'en', maxLength: 35 }) locale!: string;
  @Text({
    description: 'Content hash of the text: `GET /v1/notices/{hash}`.',
    example: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    maxLength: 71,
  })
  contentHash!: string;
}

/** One event. Which members it has besides the first follows from what happened. */
export class TimelineItemDto {
  @Text({ description: 'Place in the log.', example: '42', maxLength: 20 }) position!: string;
  @Timestamp({ description: 'When it happened, as the event says.' }) at!: string;
  @Timestamp({ description: 'When the service recorded it.' }) recordedAt!: string;
  @Text({ description: 'What happened, as a code.', example: 'consent_recorded', ...TYPE }) type!: string;
  @Text({ description: 'What happened, in a few English words.', example: 'Agreed', maxLength: 500 }) title!: string;
  @Text({
    description: 'The merged subject whose event it was; null: it is an event of the subject that was asked for.',
    example: null,
    maxLength: 30,
    nullable: true,
  })
  mergedFrom!: string | null;
  @Text({
    description: 'Who recorded it: id of the key, `operator:<id>`, or the part of the service that acts by itself.',
    example: 'key_4Zt8nXq2LmPa',
    maxLength: 200,
  })
  by!: string;
  @Nested(() => KeptActorDto, { description: 'Who decided, as the record says.', optional: true })
  actor?: KeptActorDto;
  @Nested(() => ConsentHistoryItemDto, {
    description:
      'Consent: the decision or its running out, as the history of consent shows it; text, presentation, actor and effect on the state stand beside it.',
    optional: true,
  })
  record?: ConsentHistoryItemDto;
  @Nested(() => PreferenceHistoryItemDto, {
    description:
      'Preferences: what was said, a confirmation or its mail, as their history shows it; presentation and actor stand beside it.',
    optional: true,
  })
  preference?: PreferenceHistoryItemDto;
  @Nested(() => TimelineRequestDto, { description: 'Data requests: the step.', optional: true })
  request?: TimelineRequestDto;
  @Nested(() => TimelineIdentifierDto, { description: 'The identifier that was added or verified.', optional: true })
  identifier?: TimelineIdentifierDto;
  @Nested(() => TimelineRectifiedDto, { description: 'What was put right.', optional: true })
  rectified?: TimelineRectifiedDto;
  @Nested(() => TimelineMergeDto, { description: 'The merge, or its revert.', optional: true })
  merge?: TimelineMergeDto;
  @Nested(() => TimelineRestrictionDto, { description: 'The legal hold, or its end.', optional: true })
  restriction?: TimelineRestrictionDto;
  @Nested(() => TimelineErasureDto, { description: 'The erasure.', optional: true }) erasure?: TimelineErasureDto;
  @Text({ description: 'Id of its receipt.', example: 'rct_01KAK3V0ZC8W9J2M4N6P8Q0R2S', maxLength: 30, optional: true })
  receiptId?: string;
  @Nested(() => PresentationDto, {
    description: 'What was shown, as the presentation token of the decision stated it.',
    optional: true,
  })
  presentation?: PresentationDto;
  @Nested(() => TimelineNoticeDto, { description: 'The text that was in force.', optional: true })
  notice?: TimelineNoticeDto;
  @Flag({
    description: 'Whether it changed the state; false where something newer stood already.',
    example: true,
    optional: true,
  })
  appliedToState?: boolean;
}

export class TimelineDto {
  @ListOf(() => TimelineItemDto, { description: 'Newest first.', maxItems: 200 }) data!: TimelineItemDto[];
  @Text({ description: 'Cursor of the next page.', example: null, maxLength: 1000, nullable: true }) nextCursor!:
    string | null;
  @Flag({ description: 'Whether more may follow.', example: false }) hasMore!: boolean;
}
