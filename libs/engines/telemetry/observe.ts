import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from './logger.js';
import type { Metrics } from './metrics.js';
import { endSpan, tracedRequest } from './tracing.js';

declare module 'node:http' {
  interface IncomingMessage {
    /** The operation that was called, as the operation table names it; set by the access guard. */
    operation?: string;
    /** How long the request waited because its caller asked for it; not counted in the time to answer. */
    waitedMs?: number;
  }
}

/** Slower answers are logged at `info`, all others at `debug`. */
const SLOW_MS = 1_000;

/**
 * Measures, traces and logs the answer of every request. A line holds operation, status, time and request id only: a
 * path can hold a reference.
 */
export function observe(
  metrics: Metrics,
  logger: Logger,
): (req: IncomingMessage, res: ServerResponse, next: () => void) => void {
  const quiet = !logger.isLevelEnabled('debug');
  return (req, res, next) => {
    const start = performance.now();
    const span = tracedRequest(req, next);
    // 'close' comes exactly once, also where the caller hangs up.
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
