import type { Position } from '../kernel/index.js';
import type { EventMetadata, RecordedEvent } from './port.js';

/** Metadata are written with the schema version first. Anything else is parsed. */
const VERSION_FIRST = /^\{"schemaVersion":(\d{1,9})[,}]/;

/**
 * An event as text. `data` and `metadata` are parsed anew whenever they are asked for, and nothing is kept: an event
 * that nobody wants costs no parsing, and of one that is folded only the text outlives its batch. Measured on a rebuild:
 * batches of parsed events cost more time in garbage collection than in parsing. Whoever looks at a member several
 * times keeps it in a variable; a copy made by spreading has neither member.
 */
export class UnparsedEvent implements RecordedEvent {
  constructor(
    readonly stream: string,
    readonly revision: number,
    readonly position: Position,
    readonly id: string,
    readonly type: string,
    private readonly dataText: string,
    private readonly metadataText: string,
  ) {}

  get data(): unknown {
    return JSON.parse(this.dataText) as unknown;
  }

  get metadata(): EventMetadata {
    return JSON.parse(this.metadataText) as EventMetadata;
  }

  get schemaVersion(): number {
    const version = VERSION_FIRST.exec(this.metadataText)?.[1];
    return version === undefined ? this.metadata.schemaVersion : Number(version);
  }
}
