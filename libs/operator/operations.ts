import { randomUUID } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import { NO_STREAM, type NewEvent } from '../event-log/port.js';
import { systemClock } from '../kernel/index.js';
import type { Engines } from './engines.js';
import { OPERATIONS_STREAM, type OperationsEvent, type Operator } from './events.js';

const ATTEMPTS = 10;

/** The name that was given, else that of the account; containers started with any user id have none. */
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

/** Puts on record what an operator did to the engines. An append whose answer is lost is found again by its id. */
export async function recordOperation(
  { log, codec }: Pick<Engines, 'log' | 'codec'>,
  event: OperationsEvent,
): Promise<void> {
  const recorded: NewEvent = {
    type: event.type,
    data: codec.encode(event),
    id: randomUUID(),
    metadata: { schemaVersion: codec.versionOf(event.type), actor: 'operator', recordedAt: systemClock() },
  };
  for (let attempt = 1; ; attempt++) {
    const [last] = await log.read(OPERATIONS_STREAM, { direction: 'backwards', limit: 1 });
    if (last?.id === recorded.id) return;
    const outcome = await log.append(OPERATIONS_STREAM, last?.revision ?? NO_STREAM, [recorded]);
    if (outcome.outcome === 'appended') return;
    if (outcome.outcome === 'deleted' || attempt === ATTEMPTS)
      throw new Error(`nothing was done: the stream ${OPERATIONS_STREAM} does not take the record of it`);
  }
}
