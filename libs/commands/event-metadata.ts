import type { Intent } from '../streams/stream.js';
import type { Instant } from '../kernel/index.js';
import { keyOnEvent } from './own-key.js';
import type { RequestKey } from './reservations.js';

/** Who caused an event, when, and under which keys. */
export interface EventCause {
  /** `key_…` that was used, `operator:opt_…` by the token that was shown, or `system:<what>`. */
  actor: string;
  /** When the event is recorded. */
  at: Instant;
  /** `req_…`; absent for what the service does by itself. */
  requestId?: string;
  /** `ses_…` of an operator who is signed in in a browser. */
  session?: string;
  /** The key that the event is found under when its request is repeated. */
  key?: RequestKey | null;
  /** Digest of the key of the batch that the event came in. */
  batch?: string;
  /** Key of the whole request, where its events stand under other keys. `place`: which of its subjects this is, from 0. */
  request?: RequestKey & { place?: number };
  /** The subjects that the row of the key names, where they are others than the one that the stream is about. */
  reservedFor?: readonly string[];
}

/** The one place that makes the metadata of an event. The codec adds the version of its schema. */
export const eventMetadata = ({
  actor,
  at,
  requestId,
  session,
  key,
  batch,
  request,
  reservedFor,
}: EventCause): Intent['metadata'] => ({
  actor,
  recordedAt: at,
  ...(requestId !== undefined && { requestId }),
  ...(session !== undefined && { session }),
  ...(batch !== undefined && { batch }),
  ...(request && {
    request: {
      key: request.digest,
      fingerprint: request.fingerprint,
      ...(request.place !== undefined && request.place > 0 && { place: request.place }),
    },
  }),
  ...(reservedFor && { reservedFor }),
  ...(key && keyOnEvent(key)),
});
