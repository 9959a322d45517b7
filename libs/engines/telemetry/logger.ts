import pino, { type Logger } from 'pino';
import type { LogLevel } from '../config/config.js';

export type { Logger };

/**
 * Structured log lines on standard error, one JSON object each. Name each member of a line. Never log a body, a path
 * with a reference, a header or a token.
 */
export function openLogger(level: LogLevel): Logger {
  return pino(
    { level, base: { service: 'assent' }, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: 2, sync: true }),
  );
}
