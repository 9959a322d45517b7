import type { DomainEvent, FieldCipher, Fold, Refusal } from '../kernel/index.js';
import type { EventMetadata } from './port.js';

/** What a Stream is told about the streams that it loads, folds and appends to. */
export interface StreamFold<S, E extends DomainEvent> extends Fold<S, E & { metadata: EventMetadata }> {
  /**
   * The types of events that are folded; the others of the stream pass by. Absent: every event is folded, and a stream
   * that holds a type which this release does not know is an UnreadableEvent.
   */
  on?: readonly E['type'][];
  /**
   * What personal values are decoded with on their way into the state of a stream. Absent: they are folded as forgotten,
   * and those of an event that is just being appended in clear, which `evolve` must not keep.
   */
  sealed?: (stream: string) => FieldCipher;
  /** The answer where others were faster each time. */
  contended: () => Refusal;
}
