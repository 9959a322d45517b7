import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from './logger.js';
import type { Metrics } from './metrics.js';
import { endSpan, tracedRequest } from './tracing.js';

declare module 'node:http' {
  interface IncomingMessage {
    /** The operation that was called, as the operation table names it; set by the access guard. */
    operation?: string;
    /** For how long it only waited because its caller asked for that: no part of the time to answer. */
    waitedMs?: number;
  }
}

/** An answer that took longer is worth a line at `info`; all others are logged at `debug` only. */
const SLOW_MS = 1_000;

/**
 * Stands around every request: measures, traces and logs its answer. A line names operation, status, time and request id, and
 * nothing else: no path, since a path can hold a reference.
 */
export function observe(
  metrics: Metrics,
  logger: Logger,
): (req: IncomingMessage, res: ServerResponse, next: () => void) => void {
  const quiet = !logger.isLevelEnabled('debug');
  return (req, res, next) => {
    const start = performance.now();
    const span = tracedRequest(req, next);
    // It closes once, however it ends.
    res.on('close', () => {
      const ms = performance.now() - start - (req.waitedMs ?? 0);
      const operation = req.operation ?? 'none';
      metrics.answered(operation, res.statusCode, ms / 1000, res.hasHeader('Idempotent-Replayed'));
      if (span) endSpan(span, operation, res.statusCode);
      if (quiet && ms < SLOW_MS) return;
      logger[ms < SLOW_MS ? 'debug' : 'info'](
        { requestId: req.requestId, operation, status: res.statusCode, ms: Math.round(ms) },
        ms < SLOW_MS ? 'answered' : 'answered slowly',
      );
    });
  };
}
