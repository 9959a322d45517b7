import {
  BY_SECRET_KEY,
  KB,
  LASTING_IDEMPOTENCY,
  REPLAYED,
  type DocumentedDeclaration,
  type OperationDeclaration,
} from '../../access/index.js';
import { TO_BUILD, TO_READ_SETTINGS } from '../../context/roles.js';
import { ListQuery } from '../../http/list.js';
import { SUBJECT_ID } from '../../context/webhook-fields.js';
import { ENDPOINT_ID } from '../endpoint-announcements.js';
import type { EndpointView } from '../view.js';
import {
  ChangeWebhookEndpointDto,
  CreateWebhookEndpointDto,
  DeletedWebhookEndpointDto,
  ListedWebhookEndpointDto,
  ReplayWebhookEventsDto,
  RotateWebhookSecretDto,
  URL_EXAMPLE,
  WebhookEndpointDto,
  WebhookEndpointListDto,
  WebhookEndpointListQuery,
  WebhookEndpointWithSecretDto,
} from './dto.js';
import { WebhookDeliveryListDto } from './delivery.dto.js';
import {
  DELIVERY_ID,
  REPLAY_ID,
  RequestedWebhookTestDto,
  RetriedWebhookDeliveryDto,
  WebhookReplayDto,
} from './request.dto.js';

const AT = '2026-11-21T12:00:00.000Z';
const ENDPOINT: EndpointView = {
  id: ENDPOINT_ID.example,
  url: URL_EXAMPLE,
  types: ['consent.*', 'subject.erased'],
  state: 'ENABLED',
  disabledReason: null,
  description: 'Warehouse',
  includeIdentifiers: false,
  previousSecretUntil: null,
  createdAt: AT,
  createdBy: 'key_4Zt8nXq2LmPa',
  changedAt: AT,
};
const HEALTH = {
  lastSuccessAt: AT,
  lastFailureAt: null,
  failingSince: null,
  consecutiveFailures: 0,
  waiting: 0,
  behind: false,
};
const LISTED = { ...ENDPOINT, health: HEALTH };
const ATTEMPT = { number: 1, at: AT, durationMs: 48, status: 503, reason: '503', answer: 'Try again later.' };
const DELIVERY = {
  id: DELIVERY_ID.example,
  eventId: 'evt_01KAK3V0ZC8W9J2M4N6P8Q0R2S',
  replayId: null,
  type: 'consent.granted',
  sequence: 656,
  subject: { id: SUBJECT_ID.example },
  state: 'WAITING',
  createdAt: AT,
  nextAttemptAt: '2026-11-21T12:00:05.000Z',
  finishedAt: null,
  attempts: [{ ...ATTEMPT, nextAttemptAt: '2026-11-21T12:00:05.000Z' }],
};
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw6qQ0gC1vYZ0=';

const PATH = { id: { description: 'Id of the endpoint.', example: ENDPOINT_ID.example } };
const POSITION = { 'X-Log-Position': 'Position of the change in the log.', ...REPLAYED };
const AFTER = {
  name: 'X-Log-Position',
  description: 'As a write answered it: the answer reflects at least that write.',
  required: false,
  example: '42',
};
const READ = {
  scope: 'webhooks:read' as const,
  roles: TO_READ_SETTINGS,
  subject: null,
  tag: 'Webhooks',
  headers: [AFTER],
};
const WRITE = {
  scope: 'webhooks:write' as const,
  roles: TO_BUILD,
  subject: null,
  tag: 'Webhooks',
  headers: [LASTING_IDEMPOTENCY],
};
const NOT_FOUND = 'webhook_endpoint_not_found';

/** What owners of a site do with their secret keys. */
const BY_KEY: readonly DocumentedDeclaration[] = [
  {
    ...BY_SECRET_KEY,
    ...READ,
    id: 'listWebhookEndpoints',
    method: 'GET',
    path: '/v1/webhook-endpoints',
    summary: 'All webhook endpoints',
    description: 'Where webhooks of this site and environment go, newest first, and how deliveries are going.',
    query: WebhookEndpointListQuery,
    answers: [
      {
        status: 200,
        description: 'A page of endpoints.',
        contract: WebhookEndpointListDto,
        example: { data: [LISTED], nextCursor: null, hasMore: false },
        headers: { Link: 'Address of the next page, `rel="next"`.' },
      },
    ],
    refusals: ['validation_failed'],
  },
  {
    ...BY_SECRET_KEY,
    ...READ,
    id: 'getWebhookEndpoint',
    method: 'GET',
    path: '/v1/webhook-endpoints/{id}',
    summary: 'One webhook endpoint',
    description: 'Where it leads, which events it is sent, and how deliveries are going. Never its secret.',
    pathParameters: PATH,
    answers: [{ status: 200, description: 'The endpoint.', contract: ListedWebhookEndpointDto, example: LISTED }],
    refusals: [NOT_FOUND, 'validation_failed'],
  },
  {
    ...BY_SECRET_KEY,
    ...READ,
    id: 'listWebhookDeliveries',
    method: 'GET',
    path: '/v1/webhook-endpoints/{id}/deliveries',
    summary: 'Deliveries to a webhook endpoint',
    description:
      'What was sent to it or waits to be sent, newest first, and how each attempt went: status, duration, the beginning of the answer, the next attempt. What waits behind a long backlog is not in the queue yet and not listed. Kept until 30 days after its end.',
    pathParameters: PATH,
    query: ListQuery,
    answers: [
      {
        status: 200,
        description: 'A page of deliveries.',
        contract: WebhookDeliveryListDto,
        example: { data: [DELIVERY], nextCursor: null, hasMore: false },
        headers: { Link: 'Address of the next page, `rel="next"`.' },
      },
    ],
    refusals: [NOT_FOUND, 'validation_failed'],
  },
  {
    ...BY_SECRET_KEY,
    ...WRITE,
    id: 'createWebhookEndpoint',
    method: 'POST',
    path: '/v1/webhook-endpoints',
    bodyLimit: 16 * KB,
    summary: 'Create a webhook endpoint',
    description:
      'From now on events of these types are posted there, signed with `secret`, which is shown this once. What happened before is sent by a replay. At most 50 endpoints in each site and environment.',
    body: {
      contract: CreateWebhookEndpointDto,
      examples: {
        warehouse: { url: URL_EXAMPLE, types: ['consent.*', 'subject.erased'], description: 'Warehouse' },
        everything: { url: URL_EXAMPLE, types: ['*'] },
      },
    },
    answers: [
      {
        status: 201,
        description: 'The endpoint, and its secret.',
        contract: WebhookEndpointWithSecretDto,
        example: { ...ENDPOINT, secret: SECRET },
        headers: POSITION,
      },
    ],
    refusals: ['webhook_url_not_allowed', 'validation_failed', 'state_conflict'],
  },
  {
    ...BY_SECRET_KEY,
    ...WRITE,
    id: 'changeWebhookEndpoint',
    method: 'PATCH',
    path: '/v1/webhook-endpoints/{id}',
    bodyLimit: 16 * KB,
    summary: 'Change, pause or resume a webhook endpoint',
    description:
      'What is left out stays as it is. A paused endpoint misses nothing: once it is enabled again, it is sent what happened meanwhile. Enabling one that was disabled also sends again what was given up since it began to fail.',
    pathParameters: PATH,
    body: {
      contract: ChangeWebhookEndpointDto,
      examples: { paused: { state: 'PAUSED' }, resumed: { state: 'ENABLED' }, types: { types: ['*'] } },
    },
    answers: [
      {
        status: 200,
        description: 'The endpoint.',
        contract: WebhookEndpointDto,
        example: { ...ENDPOINT, state: 'PAUSED' },
        headers: POSITION,
      },
    ],
    refusals: [NOT_FOUND, 'webhook_url_not_allowed', 'validation_failed', 'state_conflict'],
  },
  {
    ...BY_SECRET_KEY,
    ...WRITE,
    id: 'deleteWebhookEndpoint',
    method: 'DELETE',
    path: '/v1/webhook-endpoints/{id}',
    summary: 'Delete a webhook endpoint',
    description: 'Nothing more is sent to it; what waited to be sent is dropped.',
    pathParameters: PATH,
    answers: [
      {
        status: 200,
        description: 'It is deleted.',
        contract: DeletedWebhookEndpointDto,
        example: { id: ENDPOINT_ID.example, deletedAt: AT },
        headers: POSITION,
      },
    ],
    refusals: [NOT_FOUND, 'state_conflict'],
  },
  {
    ...BY_SECRET_KEY,
    ...WRITE,
    id: 'rotateWebhookSecret',
    method: 'POST',
    path: '/v1/webhook-endpoints/{id}/rotate-secret',
    bodyLimit: 4 * KB,
    summary: 'Rotate the secret of a webhook endpoint',
    description:
      'Deliveries are signed with the new secret, which is shown this once, and for 24 hours with the one before too: a receiver that knows either accepts them. Rotated again within that time, the two newest sign.',
    pathParameters: PATH,
    body: { contract: RotateWebhookSecretDto, examples: { yearly: { reason: 'yearly' } } },
    answers: [
      {
        status: 200,
        description: 'The endpoint, and its new secret.',
        contract: WebhookEndpointWithSecretDto,
        example: { ...ENDPOINT, previousSecretUntil: '2026-11-22T12:00:00.000Z', secret: SECRET },
        headers: POSITION,
      },
    ],
    refusals: [NOT_FOUND, 'validation_failed', 'state_conflict'],
  },
  {
    ...BY_SECRET_KEY,
    ...WRITE,
    id: 'testWebhookEndpoint',
    method: 'POST',
    path: '/v1/webhook-endpoints/{id}/test',
    summary: 'Send a test to a webhook endpoint',
    description:
      'Sends a `webhook.test`, whatever the types of the endpoint are. How it went is shown among its deliveries.',
    pathParameters: PATH,
    answers: [
      {
        status: 202,
        description: 'It will be sent.',
        contract: RequestedWebhookTestDto,
        example: {
          endpointId: ENDPOINT_ID.example,
          eventId: 'evt_01KAK3V0ZC8W9J2M4N6P8Q0R2S',
          sequence: 672,
          deliveryId: DELIVERY_ID.example,
          requestedAt: AT,
        },
        headers: POSITION,
      },
    ],
    refusals: [NOT_FOUND, 'state_conflict'],
  },
  {
    ...BY_SECRET_KEY,
    ...WRITE,
    id: 'replayWebhookEvents',
    method: 'POST',
    path: '/v1/webhook-endpoints/{id}/replay',
    bodyLimit: 4 * KB,
    summary: 'Send events to a webhook endpoint again',
    description:
      'Sends events again that were sent before, from a `sequence` or a time on up to now, in order, beside what happens meanwhile. `webhook-id` is that of the event, as the first time. There is no limit of time: the log is the source. One replay at a time runs to an endpoint: another is `state_conflict` until all of the first is on its way.',
    pathParameters: PATH,
    body: {
      contract: ReplayWebhookEventsDto,
      examples: { all: { fromSequence: 0 }, since: { since: AT, types: ['consent.*'] } },
    },
    answers: [
      {
        status: 202,
        description: 'It will be sent.',
        contract: WebhookReplayDto,
        example: {
          id: REPLAY_ID.example,
          endpointId: ENDPOINT_ID.example,
          fromSequence: 0,
          throughSequence: 671,
          types: null,
          requestedAt: AT,
        },
        headers: POSITION,
      },
    ],
    refusals: [NOT_FOUND, 'validation_failed', 'state_conflict'],
  },
  {
    ...BY_SECRET_KEY,
    ...WRITE,
    id: 'retryWebhookDelivery',
    method: 'POST',
    path: '/v1/webhook-deliveries/{id}/retry',
    summary: 'Try a delivery again now',
    description:
      'Tries it at once, also where it was delivered or given up. Deliveries about the same subject keep their order: where an older one waits for its next attempt, that one is tried at once too, and this one after it.',
    pathParameters: { id: { description: 'Id of the delivery.', example: DELIVERY_ID.example } },
    answers: [
      {
        status: 202,
        description: 'It will be tried.',
        contract: RetriedWebhookDeliveryDto,
        example: { id: DELIVERY_ID.example, endpointId: ENDPOINT_ID.example, requestedAt: AT },
        headers: POSITION,
      },
    ],
    refusals: ['webhook_delivery_not_found', NOT_FOUND, 'state_conflict'],
  },
];

export const ENDPOINT_OPERATIONS: readonly OperationDeclaration[] = [...BY_KEY];
