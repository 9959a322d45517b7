import { Flag, ListOf, Nested, OneOf, Text, Timestamp, Whole } from '../../http/contract/fields.js';
import { ListQuery } from '../../http/list.js';
import { ONE_LINE, ONE_LINE_HINT } from '../../kernel/index.js';
import { SWITCHED_STATES, type SwitchedState } from '../decide.js';
import { DISABLED_REASONS } from '../events.js';
import { ENDPOINT_STATES } from '../state.js';
import { PATTERNS_MAX } from '../types/type-patterns.js';
import { ENDPOINT_ID } from '../endpoint-announcements.js';

export const URL_EXAMPLE = 'https://hooks.shop.example/assent';
const LINE = { pattern: ONE_LINE.source, patternHint: ONE_LINE_HINT };
const URL = {
  description:
    'Where deliveries are posted to: https, at port 443 or 8443, at an address that everybody can reach; no user, no password. The operator can allow more.',
  example: URL_EXAMPLE,
  maxLength: 2048,
};
const TYPES = {
  description: 'Which events: types, groups such as `consent.*`, or `*` for every type there is and will be.',
  example: ['consent.*', 'subject.erased'],
  minItems: 1,
  maxItems: PATTERNS_MAX,
  of: { maxLength: 60 },
};
const DESCRIPTION = { description: 'What it is for, for people.', example: 'Warehouse', maxLength: 300, ...LINE };
const IDENTIFIERS = {
  description: 'Whether bodies name the identifiers of the subject in clear. Ask for them only where they are needed.',
  example: false,
};

export class CreateWebhookEndpointDto {
  @Text(URL) url!: string;
  @ListOf(() => 'string', TYPES) types!: string[];
  @Text({ ...DESCRIPTION, optional: true, nullable: true }) description?: string | null;
  @Flag({ ...IDENTIFIERS, description: `${IDENTIFIERS.description} Default: no.`, optional: true })
  includeIdentifiers?: boolean;
}

/** What is left out stays as it is. */
export class ChangeWebhookEndpointDto {
  @Text({ ...URL, optional: true }) url?: string;
  @ListOf(() => 'string', { ...TYPES, optional: true }) types?: string[];
  @Text({ ...DESCRIPTION, optional: true, nullable: true }) description?: string | null;
  @Flag({ ...IDENTIFIERS, optional: true }) includeIdentifiers?: boolean;
  @OneOf(SWITCHED_STATES, {
    description:
      '`PAUSED`: nothing is sent until it is `ENABLED` again; what happened meanwhile is sent then. `ENABLED` also resumes an endpoint that was disabled.',
    example: 'PAUSED',
    optional: true,
  })
  state?: SwitchedState;
}

export class RotateWebhookSecretDto {
  @Text({ description: 'Why, for the record.', example: 'yearly', maxLength: 300, optional: true, ...LINE })
  reason?: string;
}

export class ReplayWebhookEventsDto {
  @Whole({
    description: 'The first `sequence` that is sent again. Either this or `since`.',
    example: 656,
    optional: true,
  })
  fromSequence?: number;
  @Timestamp({ description: 'What was recorded from then on is sent again.', optional: true }) since?: string;
  @ListOf(() => 'string', {
    ...TYPES,
    description: 'Only events of these, as far as the endpoint wants them. Default: all that it wants.',
    optional: true,
  })
  types?: string[];
}

export class WebhookEndpointDto {
  @Text({ description: 'Id of the endpoint.', ...ENDPOINT_ID }) id!: string;
  @Text(URL) url!: string;
  @ListOf(() => 'string', TYPES) types!: string[];
  @OneOf(ENDPOINT_STATES, {
    description:
      '`PAUSED`: an operator paused it. `DISABLED`: the service gave up on the receiver. To neither anything is sent.',
    example: 'ENABLED',
  })
  state!: string;
  @OneOf(DISABLED_REASONS, {
    description: '`GONE`: it answered 410. `FAILING`: nothing but failures for five days. Null: it is not disabled.',
    example: null,
    nullable: true,
  })
  disabledReason!: string | null;
  @Text({ ...DESCRIPTION, nullable: true }) description!: string | null;
  @Flag(IDENTIFIERS) includeIdentifiers!: boolean;
  @Timestamp({
    description: 'Until when the secret before the current one signs too; null: it was never rotated.',
    nullable: true,
    example: null,
  })
  previousSecretUntil!: string | null;
  @Timestamp({ description: 'When it was created.' }) createdAt!: string;
  @Text({
    description: 'Who created it: the id of a key, or `operator:` and the id of the token.',
    example: 'key_4Zt8nXq2LmPa',
    maxLength: 100,
  })
  createdBy!: string;
  @Timestamp({ description: 'When it was last changed.' }) changedAt!: string;
}

export class WebhookEndpointWithSecretDto extends WebhookEndpointDto {
  @Text({
    description: 'The secret that signs: `whsec_` and 32 bytes as base64. Shown this once.',
    example: 'whsec_…',
    maxLength: 60,
  })
  secret!: string;
}

/** How deliveries to an endpoint are going. */
export class WebhookHealthDto {
  @Timestamp({ description: 'When the receiver last took one; null: never.', nullable: true }) lastSuccessAt!:
    string | null;
  @Timestamp({ description: 'When one last failed; null: never.', nullable: true }) lastFailureAt!: string | null;
  @Timestamp({ description: 'Since when every attempt has failed; null: the last one did not.', nullable: true })
  failingSince!: string | null;
  @Whole({ description: 'Attempts in a row that failed.', example: 0 }) consecutiveFailures!: number;
  @Whole({
    description:
      'Deliveries in its queue that are not finished, those that wait for another attempt included; counted up to 1,000.',
    example: 0,
    max: 1_000,
  })
  waiting!: number;
  @Flag({
    description:
      'Whether it is enabled and there are events that are not even in its queue: its receiver takes less than comes.',
    example: false,
  })
  behind!: boolean;
}

export class ListedWebhookEndpointDto extends WebhookEndpointDto {
  @Nested(() => WebhookHealthDto, {
    description: 'How deliveries to it are going; null: that is not known at the moment.',
    nullable: true,
  })
  health!: WebhookHealthDto | null;
}

export class WebhookEndpointListDto {
  @ListOf(() => ListedWebhookEndpointDto, { description: 'Newest first.', maxItems: 200 })
  data!: ListedWebhookEndpointDto[];
  @Text({ description: 'Where to go on; null on the last page.', example: null, maxLength: 200, nullable: true })
  nextCursor!: string | null;
  @Flag({ description: 'Whether there are more.', example: false }) hasMore!: boolean;
}

export class WebhookEndpointListQuery extends ListQuery {
  @OneOf(ENDPOINT_STATES, { description: 'Only endpoints in this state.', example: 'DISABLED', optional: true })
  state?: (typeof ENDPOINT_STATES)[number];
}

export class DeletedWebhookEndpointDto {
  @Text({ description: 'Id of the endpoint.', ...ENDPOINT_ID }) id!: string;
  @Timestamp({ description: 'When it was deleted. What waited to be sent to it is dropped.' }) deletedAt!: string;
}
