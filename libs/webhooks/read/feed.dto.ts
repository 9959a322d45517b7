import { ENVIRONMENTS } from '../../kernel/index.js';
import { Flag, FreeObject, ListOf, Nested, OneOf, Text, Timestamp, Whole } from '../../http/contract/fields.js';
import { LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX } from '../../http/list.js';
import { PATTERNS_MAX } from '../types/type-patterns.js';

/** Longest that a call can wait for something to happen. */
export const WAIT_S_MAX = 30;
/** Stands for the end of the feed as it is when it is asked for. */
export const LATEST = 'latest';

export class FeedQuery {
  @Text({
    description:
      'Where to go on: `nextCursor` of the page before, or the `sequence` of the last event that you have dealt with. `latest`: only what happens from now on. Left out: from the beginning.',
    maxLength: 16,
    pattern: '^(latest|0|[1-9][0-9]{0,15})$',
    patternHint: 'a sequence, or latest',
    example: '32',
    optional: true,
  })
  after?: string;

  @ListOf(() => 'string', {
    description:
      'Only these types, as often as there are some: a type, all of a group (`consent.*`), or `*`. Left out: every type.',
    maxItems: PATTERNS_MAX,
    of: { maxLength: 60 },
    example: ['consent.*'],
    optional: true,
  })
  types?: string[];

  @Whole({
    description: 'How many events to answer at most.',
    min: 1,
    max: LIST_LIMIT_MAX,
    default: LIST_LIMIT_DEFAULT,
    example: 50,
    optional: true,
  })
  limit?: number;

  @Whole({
    description: 'Seconds to wait for an event where there is none yet. The answer comes as soon as there is one.',
    min: 0,
    max: WAIT_S_MAX,
    default: 0,
    example: 1,
    optional: true,
  })
  wait?: number;
}

class EventSubjectDto {
  @Text({ description: 'Id of the subject.', example: 'sub_01KAK3V0ZC8W9J2M4N6P8Q0R2T', maxLength: 30 }) id!: string;
}

class EventDataDto {
  @FreeObject({
    description: 'What happened, by the schema of its type.',
    example: { object: 'consent_record' },
    maxKeys: 100,
    maxBytes: 20_000,
    depth: 16,
  })
  object!: object;
  @FreeObject({
    description: 'What was true before.',
    example: { state: 'NOT_COLLECTED' },
    maxKeys: 100,
    maxBytes: 20_000,
    depth: 16,
    nullable: true,
  })
  previous!: object | null;
}

export class WebhookEventDto {
  @Text({ description: 'What to tell duplicates by.', example: 'evt_01KAK3V0ZC8W9J2M4N6P8Q0R2S', maxLength: 30 })
  id!: string;
  @Text({ description: 'The type.', example: 'consent.granted', maxLength: 60 }) type!: string;
  @Text({ description: 'Version of the body.', example: '2026-11-01', maxLength: 10 }) apiVersion!: string;
  @Timestamp({ description: 'When the service recorded what happened.' }) createdAt!: string;
  @Timestamp({ description: 'When it happened.' }) occurredAt!: string;
  @OneOf(ENVIRONMENTS, { description: 'The environment.', example: 'live' }) environment!: string;
  @Text({ description: 'The site.', example: 'shop', maxLength: 40 }) site!: string;
  @Whole({ description: 'Grows from event to event, with gaps.', example: 673 }) sequence!: number;
  @Nested(() => EventSubjectDto, { description: 'The subject of the event; null: it has none.', nullable: true })
  subject!: EventSubjectDto | null;
  @Nested(() => EventDataDto, { description: 'What happened.' }) data!: EventDataDto;
}

export class EventListDto {
  @ListOf(() => WebhookEventDto, { description: 'In the order of their sequence.', maxItems: LIST_LIMIT_MAX })
  data!: WebhookEventDto[];
  @Text({
    description: 'What to send as `after` next; null as long as nothing has happened at all.',
    example: '673',
    maxLength: 16,
    nullable: true,
  })
  nextCursor!: string | null;
  @Flag({ description: 'Whether there is more already, which may be of other types.', example: false })
  hasMore!: boolean;
}
