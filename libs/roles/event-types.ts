import { SITE_EVENTS } from '../access/events.js';
import { CATALOGUE_EVENTS } from '../catalogue/index.js';
import { CONSENT_EVENTS } from '../consent/index.js';
import { BATCH_EVENTS } from '../consent/write/batch-events.js';
import { Codec, type EventDefinition, type LeftOut } from '../event-log/codec.js';
import { PREFERENCE_EVENTS } from '../preferences/index.js';
import { SUBJECT_EVENTS } from '../subjects/index.js';
import { OPERATIONS_EVENTS } from '../operator/events.js';

/** Every type of event that this release can read. A type once stored never leaves this list. */
export const EVENT_TYPES: readonly EventDefinition[] = [
  ...SUBJECT_EVENTS,
  ...CONSENT_EVENTS,
  ...BATCH_EVENTS,
  ...PREFERENCE_EVENTS,
  ...CATALOGUE_EVENTS,
  ...SITE_EVENTS,
  ...OPERATIONS_EVENTS,
];

export const eventCodec = (leftOut?: LeftOut): Codec => new Codec(EVENT_TYPES, leftOut);
