import { CATALOGUE_EVENTS } from '../catalogue/index.js';
import { CONSENT_EVENTS } from '../consent/index.js';
import { BATCH_EVENTS } from '../consent/write/batch-events.js';
import { Codec } from '../event-log/codec.js';
import { SUBJECT_EVENTS } from '../subjects/index.js';

/** Every type of event that this release can read. A type once stored never leaves this list. */
export const eventCodec = (): Codec => new Codec([...SUBJECT_EVENTS, ...CONSENT_EVENTS, ...BATCH_EVENTS, ...CATALOGUE_EVENTS]);
