import type { Codec } from '../event-log/codec.js';
import type { RecordedEvent } from '../event-log/port.js';
import { subjectOfStream, type Environment } from '../kernel/index.js';
import type { LoggedEvent } from './webhook-type.js';
import { TYPES_BY_LOGGED } from './webhook-types.js';

const OWNED = /^[a-z]+-([a-z][a-z0-9-]*)(?:\.(test|live)(?:\..+)?)?$/;

/**
 * An event of the log as webhooks look at it; null where no type tells of its kind. What is personal in it stays sealed:
 * no key is asked for. Throws UnreadableEvent.
 */
export function loggedEvent(event: RecordedEvent, codec: Codec): LoggedEvent | null {
  const [, site, env] = OWNED.exec(event.stream) ?? [];
  if (site === undefined || !TYPES_BY_LOGGED.has(event.type)) return null;
  const { id, type, revision, position, metadata } = event;
  return {
    id,
    type,
    data: codec.decode(event).data,
    site,
    env: (env as Environment | undefined) ?? null,
    subjectId: subjectOfStream(event.stream)?.subjectId ?? null,
    revision,
    position,
    recordedAt: metadata.recordedAt,
  };
}
