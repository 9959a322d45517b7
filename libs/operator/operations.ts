import { randomUUID } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import { eventMetadata } from '../commands/event-metadata.js';
import { Stream, type Intent } from '../streams/stream.js';
import type { StreamFold } from '../streams/stream-fold.js';
import { isRefusal, refusal, systemClock } from '../kernel/index.js';
import type { Engines } from './engines.js';
import { OPERATIONS_STREAM, type OperationsEvent, type Operator } from './events.js';

/** The name that the operator gave, else that of the account. A container with an arbitrary user id has no account name. */
export function operatorOf(name: string | undefined): Operator {
  const account = (): string => {
    try {
      return userInfo().username;
    } catch {
      return `uid ${process.geteuid?.() ?? '?'}`;
    }
  };
  return { user: name ?? account(), host: hostname() };
}

/** An empty fold: the stream is only appended to. */
const OPERATIONS_FOLD: StreamFold<null, OperationsEvent> = {
  on: [],
  initial: () => null,
  evolve: () => null,
  contended: () => refusal('state_conflict', 'Others are recording at the same time.', 'Try again.'),
};

/** Records what an operator did to the engines. */
export async function recordOperation(
  { log, codec }: Pick<Engines, 'log' | 'codec'>,
  event: OperationsEvent,
): Promise<void> {
  const intent: Intent = { event, id: randomUUID(), metadata: eventMetadata({ actor: 'operator', at: systemClock() }) };
  const recorded = await new Stream(log, codec, OPERATIONS_FOLD).execute(OPERATIONS_STREAM, undefined, () => ({
    append: [intent],
    answer: () => null,
  }));
  if (isRefusal(recorded))
    throw new Error(`nothing was done: the stream ${OPERATIONS_STREAM} does not take the record of it`);
}
