import { WEBHOOK_TYPES } from './webhook-types.js';

/** Every type of the catalogue. */
export const KNOWN_TYPES: readonly string[] = WEBHOOK_TYPES.map(({ type }) => type);
