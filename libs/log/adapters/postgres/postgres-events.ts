import type { Position } from '../../../kernel/index.js';
import type { RecordedEvent } from '../../port.js';
import { parsedData, parsedMetadata, UnparsedEvent } from '../../unparsed-event.js';

/** The columns of a `StoredEvent`. */
export const EVENT_COLUMNS = 'position, stream, revision, id, type, data, metadata';

/** A row of `log.events`. */
export interface StoredEvent {
  position: Position;
  stream: string;
  revision: bigint;
  id: string;
  type: string;
  data: string;
  metadata: string;
}

export const recorded = (row: StoredEvent): RecordedEvent => ({
  stream: row.stream,
  revision: Number(row.revision),
  position: row.position,
  id: row.id,
  type: row.type,
  data: parsedData(row.data),
  metadata: parsedMetadata(row.metadata),
});

/** An event whose texts are parsed when they are first read. For followers, which skip most events. */
export const unparsed = ({ stream, revision, position, id, type, data, metadata }: StoredEvent): RecordedEvent =>
  new UnparsedEvent(stream, Number(revision), position, id, type, data, metadata);
