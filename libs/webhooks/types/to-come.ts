import { OneOf, Text, Timestamp } from '../../platform/http/fields.js';
import type { WebhookTypeToCome } from '../webhook-type.js';

const REQUEST_TYPES = [
  'ACCESS',
  'PORTABILITY',
  'ERASURE',
  'RECTIFICATION',
  'RESTRICTION',
  'OBJECTION',
  'WITHDRAW_ALL',
  'OPT_OUT_SALE_SHARE',
  'OPT_OUT_TARGETED_ADS',
  'OPT_OUT_PROFILING',
  'LIMIT_SENSITIVE',
  'KNOW_CATEGORIES',
  'APPEAL',
  'COMPLAINT',
] as const;
const REQUEST_STATES = [
  'RECEIVED',
  'AWAITING_VERIFICATION',
  'VERIFIED',
  'IN_PROGRESS',
  'ON_HOLD',
  'COMPLETED',
  'PARTIALLY_COMPLETED',
  'REJECTED',
  'CANCELED',
  'EXPIRED',
  'DUPLICATE',
] as const;

export class ToldDataRequestDto {
  @OneOf(['data_request'], { description: 'What this is.', example: 'data_request' }) object!: string;
  @Text({ description: 'Id of the request.', example: 'dsr_01KAK3V0ZC8W9J2M4N6P8Q0R2S', maxLength: 30 }) id!: string;
  @OneOf(REQUEST_TYPES, { description: 'What is requested.', example: 'ACCESS' }) type!: string;
  @OneOf(REQUEST_STATES, { description: 'How far it is.', example: 'RECEIVED' }) state!: string;
  @Timestamp({ description: 'When it came.' }) receivedAt!: string;
  @Timestamp({ description: 'When it has to be answered.', example: '2026-12-21T12:00:00.000Z' }) dueAt!: string;
}

const FROM = '0.2.0';
const AT = '2026-11-21T12:00:00.000Z';

const request = (name: string, state: (typeof REQUEST_STATES)[number], description: string): WebhookTypeToCome => ({
  type: `data_request.${name}`,
  description,
  object: ToldDataRequestDto,
  from: FROM,
  sample: {
    object: 'data_request',
    id: 'dsr_01KAK3V0ZC8W9J2M4N6P8Q0R2S',
    type: 'ACCESS',
    state,
    receivedAt: AT,
    dueAt: '2026-12-21T12:00:00.000Z',
  },
});

/** What is promised and not sent yet. Who builds the part takes its types out of here: two of one name are refused. */
export const WEBHOOKS_TO_COME: readonly WebhookTypeToCome[] = [
  request('received', 'RECEIVED', 'A data request came in.'),
  request('verified', 'VERIFIED', 'Whoever sent a data request proved to be the subject.'),
  request('extended', 'IN_PROGRESS', 'A data request may be answered later.'),
  request('due_soon', 'IN_PROGRESS', 'A data request has to be answered soon.'),
  request('overdue', 'IN_PROGRESS', 'A data request should have been answered by now.'),
  request('completed', 'COMPLETED', 'A data request was answered.'),
  request('rejected', 'REJECTED', 'A data request was rejected.'),
];
