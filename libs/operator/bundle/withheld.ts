import type { Codec } from '../../streams/codec.js';
import { UnreadableEvent } from '../../streams/codec.js';
import type { RecordedEvent } from '../../log/port.js';
import { isSealed, type DomainEvent, type FieldCipher } from '../../kernel/index.js';

/** Stands for every personal value in a bundle that was not asked for in clear, also where it was forgotten since. */
export const WITHHELD = Object.freeze({ withheld: true });

/** A cipher that opens nothing: without keys, the same events give the same text for ever. */
const WITHHOLDING: FieldCipher = {
  encrypt: () => {
    throw new TypeError('a cipher that withholds values seals none');
  },
  decrypt: () => WITHHELD,
};

/** What happened, in today's schema and without anything personal; null where this release cannot read it. */
export function withheld(codec: Codec, event: RecordedEvent): DomainEvent | null {
  try {
    const { type, data } = codec.decode(event, WITHHOLDING);
    return { type, data: withheldData(data) };
  } catch (error) {
    if (error instanceof UnreadableEvent) return null;
    throw error;
  }
}

/** Stored data without sealed values, also deep inside: a merge carries values that the absorbed subject's key sealed. */
export const withheldData = (data: unknown): unknown =>
  JSON.parse(JSON.stringify(data), (_, value: unknown) => (isSealed(value) ? WITHHELD : value)) as unknown;
