import { WEBHOOK_TYPES } from '../webhook-types.js';
import { WEBHOOKS_TO_COME } from './to-come.js';

/** Every type of the catalogue, what is still to come included: whoever wants it then can say so now. */
export const KNOWN_TYPES: readonly string[] = [...WEBHOOK_TYPES, ...WEBHOOKS_TO_COME].map(({ type }) => type);
