import { LogUnavailable } from '../../port.js';

/** Errors of connecting: no statement was sent. */
const NOT_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  '57P03',
  '53300',
  '3D000',
]);

/**
 * Whether an append that failed may have taken effect. The server's own error means that the transaction was undone,
 * but for the classes 57P (it was shut down, perhaps after the commit) and 08 (the connection broke).
 */
export function unavailable(error: unknown): LogUnavailable {
  const codes: string[] = [];
  for (let e = error as { code?: unknown; cause?: unknown } | undefined; e; e = e.cause as typeof e)
    if (typeof e.code === 'string') codes.push(e.code);
  const notSent =
    /exceeded when trying to connect/.test(String((error as { cause?: unknown }).cause)) ||
    codes.some((code) => NOT_SENT.has(code) || code.startsWith('28'));
  const undone = codes.some(
    (code) => /^[0-9A-Z]{5}$/.test(code) && !code.startsWith('57P') && !code.startsWith('08') && !code.startsWith('E'),
  );
  return new LogUnavailable('the event log cannot be reached', !notSent && !undone, { cause: error });
}
