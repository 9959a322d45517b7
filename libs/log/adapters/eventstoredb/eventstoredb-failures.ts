import { isUndiscovered } from './eventstoredb-reasons.js';
import { TimedOut } from '../within.js';

/** Numbers of gRPC. */
const INVALID_ARGUMENT = 3;
const DEADLINE_EXCEEDED = 4;
const UNAVAILABLE = 14;

/** The server does not know the position, which is of another log. Asking again gets the same answer. */
export const isRefused = (error: unknown): boolean => (error as { code?: number }).code === INVALID_ARGUMENT;

/** No answer came in time. What the server says about its own time (ABORTED) is an answer. */
export const isSilence = (error: unknown): boolean =>
  error instanceof TimedOut || (error as { code?: number }).code === DEADLINE_EXCEEDED;

/** Another node leads; nothing was done. */
export const isNotLeader = (error: unknown): boolean => (error as { type?: string }).type === 'not-leader';

/**
 * Whether a failed append certainly stored nothing: there was no connection, no lane was free, or the server says so.
 * Uncertain after a time-out, after a broken connection, and where the server gave up on its own write.
 */
export function isNotStored(error: unknown): boolean {
  const { code, type, message } = error as { code?: number; type?: string; message?: string };
  if (isNotLeader(error) || type === 'access-denied' || type === 'maximum-append-size-exceeded') return true;
  if (isUndiscovered(error)) return true;
  if (code === DEADLINE_EXCEEDED)
    return (
      /waiting for (name resolution|metadata filters|LB pick)/i.test(message ?? '') &&
      !/previous attempts/.test(message ?? '')
    );
  if (code === UNAVAILABLE)
    return /No connection established|Channel closed before call started|Name resolution failed|Server Is Not Ready/i.test(
      message ?? '',
    );
  return false;
}
