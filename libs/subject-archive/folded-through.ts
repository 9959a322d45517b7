import { Folding } from '../streams/folding.js';
import type { StreamFold } from '../streams/stream-fold.js';
import type { DomainEvent, Position } from '../kernel/index.js';
import type { LogAtHand } from './log-at-hand.js';

const PAGE = 500;

/**
 * The state that a stream had when the log ended at a position. Throws where an event cannot be read that matters to it:
 * what an auditor is shown must not leave it out in silence.
 */
export async function foldedThrough<S, E extends DomainEvent>(
  { log, codec }: LogAtHand,
  stream: string,
  fold: Omit<StreamFold<S, E>, 'contended'>,
  through: Position,
): Promise<S> {
  const folding = new Folding<S, E>(codec, { ...fold, contended: nothingIsWritten });
  let folded = folding.empty();
  for (let from = 0; ; from += PAGE) {
    const events = await log.read(stream, { direction: 'forwards', from, limit: PAGE });
    folded = folding.over(
      stream,
      folded,
      events.filter(({ position }) => position <= through),
    );
    if (events.length < PAGE || events.at(-1)!.position > through) break;
  }
  if (!folding.isSound(folded)) throw folded.unreadable!.error;
  return folded.state;
}

const nothingIsWritten = (): never => {
  throw new TypeError('a reading of the past appends nothing');
};
