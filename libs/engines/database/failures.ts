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

/** The error as callers know it: DependencyUnavailable where the database is away, else what the server answered. */
export function translated(error: unknown): unknown {
  return isUnavailable(error) ? new DependencyUnavailable('database', { cause: error }) : error;
}

export function isUnavailable(error: unknown): boolean {
  // Not instanceof: what Node's own sockets throw is of another realm where this runs in a vm, as it does in tests.
  if (!types.isNativeError(error)) return false;
  const { errors } = error as { errors?: unknown };
  if (Array.isArray(errors) && errors.length > 0) return errors.every(isUnavailable);
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && code !== ''
    ? UNAVAILABLE_STATE.test(code) || UNAVAILABLE_CODE.test(code)
    : UNAVAILABLE_MESSAGE.test(error.message);
}

/** Whether the connection may be used again: a cancelled statement leaves it whole, everything else above does not. */
export const breaksConnection = (error: unknown): boolean =>
  isUnavailable(error) ? (error as { code?: string }).code !== '57014' : !isAnswer(error);

/** Whether the other side, or a proxy between, ended the connection. Not so where nobody listens, nor after our own time-out. */
export const wasCut = (error: unknown): boolean =>
  types.isNativeError(error) &&
  (/^(ECONNRESET|EPIPE)$/.test(String((error as { code?: unknown }).code)) ||
    error.message === 'Connection terminated unexpectedly');

const isAnswer = (error: unknown): boolean => /^[0-9A-Z]{5}$/.test(String((error as { code?: unknown }).code ?? ''));

/** Somebody held a lock for too long, or two transactions got in each other's way: the same again will do (classes 40 and 55P03). */
const OTHERS_STATE = /^(40001|40P01|55P03)$/;

/** Whether the same may work in a moment: what we need is slow or away, or others were in the way. */
export function isPassing(error: unknown): boolean {
  if (error instanceof DependencyUnavailable) return true;
  if (error instanceof Error && ['LogUnavailable', 'LogNotAccepted'].includes(error.name)) return true;
  return isUnavailable(error) || OTHERS_STATE.test(String((error as { code?: unknown } | null)?.code ?? ''));
}
