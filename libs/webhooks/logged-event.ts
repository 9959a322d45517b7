import type { Codec } from '../streams/codec.js';
import type { RecordedEvent } from '../log/port.js';
import { subjectOfStream, type Environment } from '../kernel/index.js';
import type { LoggedEvent } from './types/webhook-type.js';
import { TYPES_BY_LOGGED } from './types/webhook-types.js';

const OWNED = /^[a-z]+-([a-z][a-z0-9-]*)(?:\.(test|live)(?:\..+)?)?$/;

/**
 * An event of the log as webhooks look at it; null where no type tells of its kind. What is personal in it stays sealed:
 * no key is asked for. Throws UnreadableEvent.
 */
export function loggedEvent(event: RecordedEvent, codec: Codec): LoggedEvent | null {
  const [, site, env] = TYPES_BY_LOGGED.has(event.type) ? (OWNED.exec(event.stream) ?? []) : [];
  if (site === undefined) return null;
  const { id, type, revision, position, metadata } = event;
  const { data } = codec.decode(event);
  return {
    id,
    type,
    data,
    site,
    env: (env as Environment | undefined) ?? null,
    subjectId: subjectOfStream(event.stream)?.subjectId ?? subjectNamedIn(data),
    revision,
    position,
    recordedAt: metadata.recordedAt,
  };
}

/** What stands on a stream of its own, such as a data request, says itself whom it is about. */
const subjectNamedIn = (data: unknown): string | null => (data as { subjectId?: string }).subjectId ?? null;
