import { types } from 'node:util';
import { DependencyUnavailable } from '../dependency-unavailable.js';

/**
 * SQLSTATE classes and codes (Postgres manual, appendix A) that say nothing about the statement: connection (08),
 * resources (53, 58), shutdown and cancelling by time-out (57), a server that has become a replica (25006), and a
 * password that was changed while we run (28).
 */
const UNAVAILABLE_STATE = /^(08...|28...|53...|57014|57P0.|58...|25006|25P0[34])$/;
const UNAVAILABLE_CODE =
  /^(ECONN.*|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ENOENT)$/;
/** pg gives these no code. */
const UNAVAILABLE_MESSAGE =
  /^(Connection terminated|timeout (expired|exceeded)|Query read timeout|Client (was closed|has encountered)|Cannot use a pool after|The server does not support SSL)/;

/** The error for callers: DependencyUnavailable where the database is away, else the server's own. */
export function translated(error: unknown): unknown {
  return isUnavailable(error) ? new DependencyUnavailable('database', { cause: error }) : error;
}

export function isUnavailable(error: unknown): boolean {
  // Not instanceof: in a vm, as in tests, errors of Node's own sockets belong to another realm.
  if (!types.isNativeError(error)) return false;
  const { errors } = error as { errors?: unknown };
  if (Array.isArray(errors) && errors.length > 0) return errors.every(isUnavailable);
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && code !== ''
    ? UNAVAILABLE_STATE.test(code) || UNAVAILABLE_CODE.test(code)
    : UNAVAILABLE_MESSAGE.test(error.message);
}

/** Whether a failure makes the connection unusable. Only a cancelled statement leaves it usable. */
export const breaksConnection = (error: unknown): boolean =>
  isUnavailable(error) ? (error as { code?: string }).code !== '57014' : !isAnswer(error);

/** Whether the server, or a proxy before it, cut the connection. Not for a refused connection or for our own time-out. */
export const wasCut = (error: unknown): boolean =>
  types.isNativeError(error) &&
  (/^(ECONNRESET|EPIPE)$/.test(String((error as { code?: unknown }).code)) ||
    error.message === 'Connection terminated unexpectedly');

const isAnswer = (error: unknown): boolean => /^[0-9A-Z]{5}$/.test(String((error as { code?: unknown }).code ?? ''));

/** Another transaction held a lock too long or conflicted with ours (class 40, 55P03): the same statement may work later. */
const OTHERS_STATE = /^(40001|40P01|55P03)$/;

/** Whether the same call may work in a moment: a dependency is slow or away, or another transaction was in the way. */
export function isPassing(error: unknown): boolean {
  if (error instanceof DependencyUnavailable) return true;
  if (error instanceof Error && ['LogUnavailable', 'LogNotAccepted'].includes(error.name)) return true;
  return isUnavailable(error) || OTHERS_STATE.test(String((error as { code?: unknown } | null)?.code ?? ''));
}
