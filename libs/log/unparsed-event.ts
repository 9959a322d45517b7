import { BEGINNING_OF_TIME, type Position } from '../kernel/index.js';
import { NOT_JSON, type EventMetadata, type RecordedEvent } from './port.js';

/** Metadata are written with the schema version first. Anything else is parsed. */
const VERSION_FIRST = /^\{"schemaVersion":(\d{1,9})[,}]/;

/**
 * An event as text. `data` and `metadata` are parsed anew whenever they are asked for, and neither is kept: an event
 * that nobody wants costs no parsing, and of one that is folded only the text outlives its batch. Measured on a rebuild:
 * batches of parsed events cost more time in garbage collection than in parsing. Whoever looks at a member several
 * times keeps it in a variable; a copy made by spreading has neither member.
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

/** Where the text is no JSON, of no version that any release knows. */
export function parsedMetadata(text: string): EventMetadata {
  try {
    return JSON.parse(text) as EventMetadata;
  } catch {
    return { schemaVersion: 0, actor: 'unknown', recordedAt: BEGINNING_OF_TIME };
  }
}
