import type { RecordedEvent } from './port.js';
import { UnparsedEvent } from './unparsed-event.js';

/** Data and metadata of an event as JSON text. */
export interface EventText {
  data: string;
  metadata: string;
}

/**
 * The text of an event as the log holds it. Where a log answers parsed events, JSON.stringify wrote their text, and
 * writes the same text again here.
 */
export function eventText(event: RecordedEvent): EventText {
  if (event instanceof UnparsedEvent) return { data: event.dataText, metadata: event.metadataText };
  return { data: JSON.stringify(event.data), metadata: JSON.stringify(event.metadata) };
}
