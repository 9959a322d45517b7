import type { Environment } from '../../kernel/index.js';
import type { JsonSchema } from '../../http/contract/declared.js';
import { envelopeOf, type Envelope } from '../envelope.js';
import { envelopeSchema } from './schema.js';
import { SUBJECT_ID } from '../../context/webhook-fields.js';
import type { WebhookType, WebhookTypes } from '../../context/webhook-types.js';

/** The release that delivers first. */
export const DELIVERED_FROM = '0.2.0';

/** One type, as receivers read about it. */
export interface CataloguedType {
  type: string;
  description: string;
  /** The release that sends it first. */
  from: string;
  schema: JsonSchema;
  example: Envelope;
}

const AT = '2026-11-21T12:00:00.000Z';
const [SITE, ENV]: [string, Environment] = ['shop', 'live'];
const POSITION = 42n;

/** Every type of webhook event, by their names. */
export function eventCatalogue(types: WebhookTypes): CataloguedType[] {
  const all = types.all.map((type) => ({
    type: type.type,
    description: type.description,
    from: DELIVERED_FROM,
    schema: envelopeSchema(type, true),
    example: exampleOf(type, types),
  }));
  return all.sort((a, b) => (a.type < b.type ? -1 : 1));
}

/** Made as the real ones are, of the sample of the type. */
function exampleOf(webhook: WebhookType, types: WebhookTypes): Envelope {
  const { event: type, place, announced } = types.sampleOf(webhook);
  const event = {
    id: '6f1c5f0e-6b0a-5d3c-9a5e-7c1b2d4e8f90',
    type,
    data: announced.sample,
    site: SITE,
    env: ENV,
    subjectId: webhook.isAboutSubject ? SUBJECT_ID.example : null,
    revision: 2,
    position: POSITION,
    recordedAt: AT,
  };
  return envelopeOf(event, ENV, { place, type: webhook.type, announcement: announced.announce(event)! });
}
