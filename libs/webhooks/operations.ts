import { BY_ANY_KEY, BY_SECRET_KEY, type OperationDeclaration } from '../access/index.js';
import { DELIVERY_CONTRACT } from './deliveries/delivery-contract.js';
import { WebhookCatalogueDto } from './dto.js';
import { WEBHOOK_API_VERSION } from './envelope.js';
import { EventListDto, FeedQuery } from './read/feed.dto.js';
import { TO_AUDIT, TO_LOOK } from '../context/roles.js';

const CACHED = { ETag: 'Tag of this answer.', 'Cache-Control': 'Five minutes.' };

const EVENT = {
  id: 'evt_01KAK3V0ZC8W9J2M4N6P8Q0R2S',
  type: 'purpose.retired',
  apiVersion: WEBHOOK_API_VERSION,
  createdAt: '2026-11-21T12:00:00.000Z',
  occurredAt: '2026-11-21T12:00:00.000Z',
  environment: 'live',
  site: 'shop',
  sequence: 673,
  subject: null,
  data: {
    object: { object: 'purpose', key: 'ads', version: 2, retiredAt: '2026-11-21T12:00:00.000Z' },
    previous: null,
  },
};

export const WEBHOOK_OPERATIONS: readonly OperationDeclaration[] = [
  {
    ...BY_ANY_KEY,
    id: 'listWebhookEvents',
    roles: TO_LOOK,
    method: 'GET',
    path: '/v1/webhook-events',
    scope: null,
    subject: null,
    tag: 'Webhooks',
    summary: 'Every type of webhook event, and how they are delivered',
    description:
      'Each type with the JSON Schema of its body and an example, and what is promised of deliveries as data. `from` is the release that sends a type first. Bodies hold no clear identifiers and no text that a person typed.',
    headers: [
      { name: 'If-None-Match', description: 'ETag of the answer at hand.', required: false, example: 'W/"Jx2c-9oQ"' },
    ],
    answers: [
      {
        status: 200,
        description: 'The catalogue.',
        contract: WebhookCatalogueDto,
        // Tools that read the document take what has `type`, `schema` and `example` for a part of the document itself.
        example: { events: [], delivery: DELIVERY_CONTRACT },
        headers: CACHED,
      },
      { status: 304, description: 'The answer at hand is current.', headers: CACHED },
    ],
    refusals: [],
  },
  {
    ...BY_SECRET_KEY,
    id: 'listEvents',
    roles: [...TO_AUDIT, 'DEVELOPER:test'],
    method: 'GET',
    path: '/v1/events',
    scope: 'events:read',
    subject: null,
    tag: 'Webhooks',
    summary: 'Fetch what webhooks tell',
    description:
      'The events of this site and environment in the order of the log, each with the very bytes that webhooks deliver; without `webhook.test`, which is sent to one endpoint only. Keep `nextCursor` once you have dealt with a page and send it as `after`: nothing is missed or repeated while writes go on, however long ago that was. With `wait` the answer comes as soon as something happens. A page of some types can be empty while `hasMore` is true. Each hundred events that are looked at cost one unit.',
    query: FeedQuery,
    headers: [
      {
        name: 'X-Log-Position',
        description: 'As a write answered it: the answer reflects at least that write.',
        required: false,
        example: '42',
      },
    ],
    answers: [
      {
        status: 200,
        description: 'A page of events.',
        contract: EventListDto,
        example: { data: [EVENT], nextCursor: '673', hasMore: false },
        headers: { Link: 'Address of the next page, `rel="next"`; also where there is nothing on it yet.' },
      },
    ],
    refusals: ['validation_failed'],
  },
];
