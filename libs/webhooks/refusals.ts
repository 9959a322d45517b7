import { refusal, type Refusal } from '../kernel/index.js';
import type { EndpointState } from './state.js';

export const webhookRefusals = {
  endpointNotFound: (): Refusal =>
    refusal(
      'webhook_endpoint_not_found',
      'This site and environment has no such webhook endpoint.',
      'List the endpoints with GET /v1/webhook-endpoints and send one of their ids.',
      [{ path: 'id', message: 'names no endpoint' }],
    ),
  deliveryNotFound: (): Refusal =>
    refusal(
      'webhook_delivery_not_found',
      'This site and environment has no such delivery, or it is more than 30 days over.',
      'List the deliveries of an endpoint with GET /v1/webhook-endpoints/{id}/deliveries and send one of their ids; older events are sent again by a replay.',
      [{ path: 'id', message: 'names no delivery' }],
    ),
  tooManyEndpoints: (most: number): Refusal =>
    refusal(
      'state_conflict',
      `This site and environment has ${most} webhook endpoints.`,
      'Delete endpoints that are no longer used, or let one of them take more types of events.',
    ),
  /** It has to be resumed before anything is sent to it. */
  notEnabled: (state: EndpointState): Refusal =>
    refusal(
      'state_conflict',
      `The endpoint is ${state}: nothing is sent to it.`,
      'Resume it first, with PATCH and {"state":"ENABLED"}.',
    ),
  alreadyDisabled: (): Refusal =>
    refusal(
      'state_conflict',
      'The endpoint is DISABLED: nothing is sent to it, and there is nothing to pause.',
      'Leave it as it is, or resume it with {"state":"ENABLED"}.',
      [{ path: 'state', message: 'cannot be PAUSED while the endpoint is DISABLED' }],
    ),
  replayRunning: (replayId: string): Refusal =>
    refusal(
      'state_conflict',
      `The endpoint is still being sent something again, by the replay ${replayId}.`,
      'Wait until all of that is on its way, and send the request again. GET /v1/webhook-endpoints/{id}/deliveries shows how far it is.',
    ),
  nothingToReplay: (): Refusal =>
    refusal(
      'validation_failed',
      'Nothing has happened yet that could be sent again.',
      'Begin at the sequence of an event of the feed, or at a time in the past.',
    ),
  contended: (): Refusal =>
    refusal('state_conflict', 'Others are changing webhook endpoints at the same time.', 'Send the request again.'),
} as const;
