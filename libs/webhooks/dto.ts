import { Flag, FreeObject, ListOf, Nested, Numeric, OneOf, Text, Whole } from '../http/contract/fields.js';

export type { WebhookDeliveryDto } from './endpoints/delivery.dto.js';
export type { ListedWebhookEndpointDto, WebhookEndpointWithSecretDto } from './endpoints/dto.js';
export type { RequestedWebhookTestDto, RetriedWebhookDeliveryDto, WebhookReplayDto } from './endpoints/request.dto.js';

class WebhookEventTypeDto {
  @Text({ description: 'The type.', example: 'consent.granted', maxLength: 60 }) type!: string;
  @Text({ description: 'When it is sent.', example: 'A grant ran out.', maxLength: 500 }) description!: string;
  @Text({ description: 'The release that sends it first.', example: '0.2.0', maxLength: 20 }) from!: string;
  @FreeObject({
    description: 'JSON Schema 2020-12 of the body.',
    example: { title: 'consent.granted' },
    maxKeys: 100,
    maxBytes: 20_000,
    depth: 16,
  })
  schema!: Record<string, unknown>;
  @FreeObject({
    description: 'A body.',
    example: { type: 'consent.granted' },
    maxKeys: 100,
    maxBytes: 20_000,
    depth: 16,
  })
  example!: object;
}

class WebhookHeaderDto {
  @Text({ description: 'Name of the header.', example: 'webhook-id', maxLength: 40 }) name!: string;
  @Text({ description: 'What it says.', example: 'Id of the event.', maxLength: 200 }) description!: string;
}

class WebhookSignatureDto {
  @Text({ description: 'The header that it stands in.', example: 'Consent-Signature', maxLength: 40 }) header!: string;
  @Text({ description: 'How it is written there.', example: 't=<timestamp>,v1=<signature>', maxLength: 100 })
  format!: string;
  @OneOf(['HMAC-SHA256'], { description: 'How it is made.', example: 'HMAC-SHA256' }) algorithm!: string;
  @OneOf(['hex', 'base64'], { description: 'How its bytes are written.', example: 'hex' }) encoding!: string;
  @Text({
    description: 'What is signed; the body as it came, byte for byte.',
    example: '<timestamp>.<body>',
    maxLength: 100,
  })
  signedContent!: string;
}

class WebhookSecretDto {
  @Text({ description: 'What the text of a secret begins with.', example: 'whsec_', maxLength: 20 }) prefix!: string;
  @OneOf(['base64'], { description: 'How the bytes of the key follow.', example: 'base64' }) encoding!: string;
  @Whole({ description: 'Bytes of the key.', example: 32 }) bytes!: number;
  @Whole({ description: 'Hours for which two secrets sign after a rotation.', example: 24 }) overlapHours!: number;
}

class WebhookAttemptsDto {
  @ListOf(() => 'integer', {
    description: 'Seconds from each attempt to the next one, the first from the event on.',
    example: [0, 5, 300],
    maxItems: 20,
  })
  afterSeconds!: readonly number[];
  @Numeric({
    description: 'By so much of it each wait is changed at random, up or down.',
    example: 0.2,
    min: 0,
    max: 1,
  })
  jitter!: number;
  @Flag({ description: 'Whether `Retry-After` is honoured, up to a day.', example: true }) retryAfter!: boolean;
}

class WebhookDisabledDto {
  @Whole({ description: 'A status by which an endpoint is disabled at once.', example: 410 }) byStatus!: number;
  @Whole({ description: 'Days of nothing but failures after which it is disabled.', example: 5 })
  afterDaysOfFailures!: number;
}

class WebhookDeliveryContractDto {
  @Text({ description: 'Version of the bodies. Members may come within it.', example: '2026-11-01', maxLength: 10 })
  apiVersion!: string;
  @OneOf(['POST'], { description: 'How it is sent.', example: 'POST' }) method!: string;
  @Text({ description: 'Type of the body.', example: 'application/json; charset=utf-8', maxLength: 60 })
  contentType!: string;
  @ListOf(() => WebhookHeaderDto, { description: 'Headers of every attempt.', maxItems: 20 })
  headers!: readonly WebhookHeaderDto[];
  @ListOf(() => WebhookSignatureDto, { description: 'Signatures of every attempt; verify one.', maxItems: 5 })
  signatures!: readonly WebhookSignatureDto[];
  @Nested(() => WebhookSecretDto, { description: 'The secret of an endpoint.' }) secret!: WebhookSecretDto;
  @Whole({ description: 'Seconds that clocks may differ by, both ways.', example: 300 }) toleranceSeconds!: number;
  @Nested(() => WebhookAttemptsDto, { description: 'When it is tried.' }) attempts!: WebhookAttemptsDto;
  @Whole({ description: 'Seconds that a receiver may take for its answer.', example: 15 }) timeoutSeconds!: number;
  @Whole({ description: 'Bytes of an answer that are read.', example: 65_536 }) answerBytesMax!: number;
  @Text({ description: 'Which answers count as received.', example: '2xx', maxLength: 20 }) success!: string;
  @OneOf(['NOT_FOLLOWED'], { description: 'A redirect is a failure.', example: 'NOT_FOLLOWED' }) redirects!: string;
  @OneOf(['AT_LEAST_ONCE'], { description: 'Tell duplicates by `webhook-id`.', example: 'AT_LEAST_ONCE' })
  guarantee!: string;
  @OneOf(['PER_SUBJECT'], {
    description: 'What is about one subject comes in its order; across subjects go by `sequence`.',
    example: 'PER_SUBJECT',
  })
  ordering!: string;
  @Nested(() => WebhookDisabledDto, { description: 'When an endpoint is disabled.' }) disabled!: WebhookDisabledDto;
}

export class WebhookCatalogueDto {
  @ListOf(() => WebhookEventTypeDto, { description: 'Every type of event, by name.', maxItems: 200 })
  events!: WebhookEventTypeDto[];
  @Nested(() => WebhookDeliveryContractDto, { description: 'What is promised of deliveries.' })
  delivery!: WebhookDeliveryContractDto;
}
