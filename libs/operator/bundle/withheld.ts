import type { Codec } from '../../event-log/codec.js';
import { UnreadableEvent } from '../../event-log/codec.js';
import type { RecordedEvent } from '../../event-log/port.js';
import { isSealed, type FieldCipher } from '../../kernel/index.js';

/** Stands for every personal value in a bundle that nobody asked to have in clear, whether it was forgotten since or not. */
export const WITHHELD = Object.freeze({ withheld: true });

/** Opens nothing: an event is read without any key, so that the same events give the same text for ever. */
const WITHHOLDING: FieldCipher = {
  encrypt: () => {
    throw new TypeError('a cipher that withholds values seals none');
  },
  decrypt: () => WITHHELD,
};

/** What happened, in today's schema and without anything personal; where this release cannot read it, as it is stored, without that too. */
export function withheld(codec: Codec, event: RecordedEvent): unknown {
  const read = (): unknown => {
    try {
      return codec.decode(event, WITHHOLDING).data;
    } catch (error) {
      if (error instanceof UnreadableEvent) return event.data;
      throw error;
    }
  };
  // A merge carries values deep inside that the key of the absorbed subject had sealed.
  return JSON.parse(JSON.stringify(read()), (_, value: unknown) => (isSealed(value) ? WITHHELD : value)) as unknown;
}
