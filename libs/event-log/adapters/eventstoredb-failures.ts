import { isUndiscovered } from './eventstoredb-reasons.js';

/** A position that is none (of another log): asking again gets the same answer. */
export const isRefused = (error: unknown): boolean => (error as { code?: number }).code === 3;

/**
 * Whether an append that failed is certain to have had no effect: no connection was made, no lane on it was free, or
 * the server said so. An end of time, a broken connection and a server that gave up on its own write are not.
 */
export function isNotStored(error: unknown): boolean {
  const { code, type, message } = error as { code?: number; type?: string; message?: string };
  if (type === 'not-leader' || type === 'access-denied' || type === 'maximum-append-size-exceeded') return true;
  if (isUndiscovered(error)) return true;
  if (code === 4)
    return (
      /waiting for (name resolution|metadata filters|LB pick)/i.test(message ?? '') &&
      !/previous attempts/.test(message ?? '')
    );
  if (code === 14)
    return /No connection established|Channel closed before call started|Name resolution failed|Server Is Not Ready/i.test(
      message ?? '',
    );
  return false;
}
