import { BY_ANY_KEY, type OperationDeclaration } from '../access/index.js';
import { DELIVERY_CONTRACT } from './delivery-contract.js';
import { WebhookCatalogueDto } from './dto.js';

const CACHED = { ETag: 'Tag of this answer.', 'Cache-Control': 'Five minutes.' };

export const WEBHOOK_OPERATIONS: readonly OperationDeclaration[] = [
  {
    ...BY_ANY_KEY,
    id: 'listWebhookEvents',
    method: 'GET',
    path: '/v1/webhook-events',
    scope: null,
    subject: null,
    tag: 'Webhooks',
    summary: 'Every type of webhook event, and how they are delivered',
    description:
      'Each type with the JSON Schema of its body and an example, and what is promised of deliveries as data. `from` is the release that sends a type first. Bodies hold no clear identifiers and nothing that somebody typed.',
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
];
