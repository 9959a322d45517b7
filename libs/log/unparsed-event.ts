import { BEGINNING_OF_TIME, type Position } from '../kernel/index.js';
import { NOT_JSON, type EventMetadata, type RecordedEvent } from './port.js';

/** Metadata that this service wrote: the schema version comes first. Others are parsed. */
const VERSION_FIRST = /^\{"schemaVersion":(\d{1,9})[,}]/;

/**
 * An event as text. Each access to `data` or `metadata` parses anew and keeps nothing: an event that is skipped costs no
 * parsing, and only the text outlives a batch. In a rebuild, batches of parsed events cost more time in garbage
 * collection than in parsing. Code that reads a member several times keeps it in a variable. A copy made by spreading has
 * neither member.
 */
export class UnparsedEvent implements RecordedEvent {
  private version: number | null = null;

  constructor(
    readonly stream: string,
    readonly revision: number,
    readonly position: Position,
    readonly id: string,
    readonly type: string,
    readonly dataText: string,
    readonly metadataText: string,
  ) {}

  get data(): unknown {
    return parsedData(this.dataText);
  }

  get metadata(): EventMetadata {
    return parsedMetadata(this.metadataText);
  }

  get schemaVersion(): number {
    if (this.version === null) {
      const version = VERSION_FIRST.exec(this.metadataText)?.[1];
      this.version = version === undefined ? this.metadata.schemaVersion : Number(version);
    }
    return this.version;
  }
}

/** NOT_JSON where the text is not. */
export function parsedData(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return NOT_JSON;
  }
}

/** The metadata; where the text is not JSON, metadata of a version that no release knows. */
export function parsedMetadata(text: string): EventMetadata {
  try {
    return JSON.parse(text) as EventMetadata;
  } catch {
    return { schemaVersion: 0, actor: 'unknown', recordedAt: BEGINNING_OF_TIME };
  }
}
