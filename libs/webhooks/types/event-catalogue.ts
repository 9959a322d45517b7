import type { Environment } from '../../kernel/index.js';
import type { JsonSchema } from '../../http/contract/declared.js';
import { envelopesOf, type Envelope } from '../envelope.js';
import { envelopeSchema } from './schema.js';
import { SUBJECT_ID } from './fields.js';
import type { WebhookType } from './webhook-type.js';
import { WEBHOOK_TYPES } from './webhook-types.js';

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
export function eventCatalogue(): CataloguedType[] {
  const all = WEBHOOK_TYPES.map((type) => ({
    type: type.type,
    description: type.description,
    from: DELIVERED_FROM,
    schema: envelopeSchema(type, true),
    example: exampleOf(type),
  }));
  return all.sort((a, b) => (a.type < b.type ? -1 : 1));
}

/** Made as the real ones are, of the sample of the type. */
function exampleOf({ type, on, sample }: WebhookType): Envelope {
  const [logged] = on as [string];
  const isAbout = /^(Subject|Identifier|Consent|Preference|DataRequest)/.test(logged);
  const event = {
    id: '6f1c5f0e-6b0a-5d3c-9a5e-7c1b2d4e8f90',
    type: logged,
    data: sample,
    site: SITE,
    env: ENV,
    subjectId: isAbout ? SUBJECT_ID.example : null,
    revision: 2,
    position: POSITION,
    recordedAt: AT,
  };
  return envelopesOf(event, ENV).find((envelope) => envelope.type === type)!;
}
