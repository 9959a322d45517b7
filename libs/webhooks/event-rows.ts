import type { Codec } from '../streams/codec.js';
import type { RecordedEvent } from '../log/port.js';
import type { Row } from '../following/projections/projection.js';
import { ENVIRONMENTS, type Environment } from '../kernel/index.js';
import { addressedOf, bodyTexts } from './envelope.js';
import { loggedEvent } from './logged-event.js';

/** A webhook event, as it is kept. */
export interface EventRow {
  site: string;
  env: Environment;
  sequence: number;
  /** `evt_…` */
  id: string;
  type: string;
  subjectId: string | null;
  /** Only this endpoint is told; null: whoever wants events of its type. */
  endpoint: string | null;
  /** What is sent, to the byte. */
  body: string;
}

/** The columns of `webhooks.event`. */
export const EVENT_COLUMNS = {
  site: 'text',
  env: 'text',
  sequence: 'bigint',
  id: 'text',
  type: 'text',
  subject_id: 'text',
  endpoint: 'text',
  body: 'text',
};

/** By the names of the columns. */
export const storedRow = ({ site, env, sequence, id, type, subjectId, endpoint, body }: EventRow): Row => ({
  site,
  env,
  sequence,
  id,
  type,
  subject_id: subjectId,
  endpoint,
  body,
});

/**
 * What webhooks tell of an event of the log, in the order of their sequence. What is about a site as a whole is told in
 * both environments. Throws UnknownEvent where only a newer release knows what happened, because that one may tell of it;
 * and UnreadableEvent.
 */
export function eventRows(event: RecordedEvent, codec: Codec): EventRow[] {
  codec.ensureKnown(event);
  const logged = loggedEvent(event, codec);
  if (!logged) return [];
  const { site, env, subjectId } = logged;
  return (env ? [env] : ENVIRONMENTS).flatMap((each) => {
    const addressed = addressedOf(logged, each);
    const bodies = bodyTexts(addressed.map(({ envelope }) => envelope));
    return addressed.map(({ envelope: { sequence, id, type }, endpoint }, i) => ({
      site,
      env: each,
      sequence,
      id,
      type,
      subjectId,
      endpoint,
      body: bodies[i]!,
    }));
  });
}
