import { randomUUID } from 'node:crypto';
import { START, type EventData, type ReadPosition, type ResolvedEvent } from '@eventstore/db-client';
import type { SerialisedEvent } from '../../append-limits.js';
import type { EventMetadata, RecordedEvent } from '../../port.js';
import type { Position } from '../../../kernel/index.js';
import { parsedMetadata, UnparsedEvent } from '../../unparsed-event.js';
import type { KeptEvent } from './eventstoredb-messages.js';
import type { StreamNames } from './eventstoredb-names.js';

/** The largest position. Servers up to 24.10.4 report it as a checkpoint where no event matched. Never store it. */
export const END_OF_ALL = 18446744073709551615n;

/** The name of the metadata member that holds an event's own id. */
const OWN_ID = 'eventId';

export const storedForm = ({ id, type, data, metadata }: SerialisedEvent): EventData =>
  ({
    contentType: 'application/json',
    id: randomUUID(),
    type,
    data: JSON.parse(data) as object,
    // Bytes, which the client sends as they are. The text is a JSON object, so the id goes in front of its members.
    metadata: Uint8Array.from(Buffer.from(`{"${OWN_ID}":"${id}"${metadata === '{}' ? '' : ','}${metadata.slice(1)}`)),
  }) as EventData;

/** Metadata as this service writes them: the own id comes first, so that it is found without parsing. */
const OWN_ID_FIRST = new RegExp(`^\\{"${OWN_ID}":"([^"\\\\]*)"(?:,|(?=\\}$))`);

/**
 * The service's name of an event's stream. Null for the server's own events (metadata of streams, tombstones, links,
 * statistics) and for those of another installation or application.
 */
export function streamOf(event: Named, names: StreamNames): string | null {
  return isOfServer(event) ? null : names.ours(event.streamId);
}

interface Named {
  type: string;
  streamId: string;
}

const isOfServer = ({ type, streamId }: Named): boolean => type.startsWith('$') || streamId.startsWith('$');

/** Null where `streamOf` is. */
export function recorded({ event }: ResolvedEvent, names: StreamNames): RecordedEvent | null {
  const stream = event ? streamOf(event, names) : null;
  return event && stream !== null ? recordedIn(stream, event) : null;
}

/** The same for a stream that was read by its name; null for the server's own events. */
export const recordedOf = (stream: string, { event }: ResolvedEvent): RecordedEvent | null =>
  event && !isOfServer(event) ? recordedIn(stream, event) : null;

function recordedIn(stream: string, event: NonNullable<ResolvedEvent['event']>): RecordedEvent {
  const { [OWN_ID]: id = event.id, ...metadata } = (event.metadata ?? {}) as Record<string, unknown>;
  return {
    stream,
    revision: Number(event.revision),
    position: positionIn(event.position?.commit),
    id: id as string,
    type: event.type,
    data: event.data,
    metadata: metadata as unknown as EventMetadata,
  };
}

/** An event whose texts are parsed when they are first read. For followers, which skip most events. */
export function unparsed(event: KeptEvent, stream: string): RecordedEvent {
  const { revision, position, type, data } = event;
  const { id, metadata } = withoutOwnId(event);
  return new UnparsedEvent(stream, revision, position, id, type, data, metadata);
}

function withoutOwnId({ id, metadata }: KeptEvent): { id: string; metadata: string } {
  const [before, own] = OWN_ID_FIRST.exec(metadata) ?? [];
  if (before !== undefined) return { id: own!, metadata: `{${metadata.slice(before.length)}` };
  const { [OWN_ID]: written = id, ...others } = parsedMetadata(metadata === '' ? '{}' : metadata) as EventMetadata & {
    [OWN_ID]?: string;
  };
  return { id: written, metadata: JSON.stringify(others) };
}

export const positionOf = ({ position }: KeptEvent): Position => positionIn(position);
export const resolvedPosition = ({ event }: ResolvedEvent): Position => positionIn(event?.position?.commit);

function positionIn(commit: Position | undefined): Position {
  if (commit === undefined || commit === END_OF_ALL)
    throw new Error('this EventStoreDB does not say where an event stands; it must be 23.10 or newer');
  return commit;
}

export const readPosition = (after: Position): ReadPosition => (after < 0n ? START : { commit: after, prepare: after });
