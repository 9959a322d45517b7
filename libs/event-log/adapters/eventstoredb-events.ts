import { randomUUID } from 'node:crypto';
import { START, type EventData, type ReadPosition, type ResolvedEvent } from '@eventstore/db-client';
import type { SerialisedEvent } from '../append-limits.js';
import type { EventMetadata, RecordedEvent } from '../port.js';
import type { Position } from '../../kernel/index.js';
import type { StreamNames } from './eventstoredb-names.js';

/** Servers up to 24.10.4 report it as a checkpoint where nothing matched: the end of everything, never to be kept. */
export const END_OF_ALL = 18446744073709551615n;

/** The name of the metadata member that holds an event's own id. */
const OWN_ID = 'eventId';

export const storedForm = ({ id, type, data, metadata }: SerialisedEvent): EventData =>
  ({
    contentType: 'application/json',
    id: randomUUID(),
    type,
    data: JSON.parse(data) as object,
    // As bytes, which the client takes as they are. It is an object with members, so the id goes in front of them.
    metadata: Uint8Array.from(Buffer.from(`{"${OWN_ID}":"${id}"${metadata === '{}' ? '' : ','}${metadata.slice(1)}`)),
  }) as EventData;

/** Null for what is the server's own (metadata of streams, tombstones, links, statistics), or another installation's. */
export function recorded({ event }: ResolvedEvent, names: StreamNames): RecordedEvent | null {
  if (!event || event.type.startsWith('$') || event.streamId.startsWith('$')) return null;
  const stream = names.ours(event.streamId);
  if (stream === null) return null;
  const { [OWN_ID]: id = event.id, ...metadata } = (event.metadata ?? {}) as Record<string, unknown>;
  return {
    stream,
    revision: Number(event.revision),
    position: positionIn(event),
    id: id as string,
    type: event.type,
    data: event.data,
    metadata: metadata as unknown as EventMetadata,
  };
}

export const positionOf = ({ event }: ResolvedEvent): Position => positionIn(event);

function positionIn(event: ResolvedEvent['event']): Position {
  const commit = event?.position?.commit;
  if (commit === undefined || commit === END_OF_ALL)
    throw new Error('this EventStoreDB does not say where an event stands; it must be 23.10 or newer');
  return commit;
}

export const readPosition = (after: Position): ReadPosition => (after < 0n ? START : { commit: after, prepare: after });
