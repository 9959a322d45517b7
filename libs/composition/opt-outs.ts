import type { INestApplication } from '@nestjs/common';
import { DeliveryRunner } from '../deliveries/runner.js';
import type { Logger } from '../engines/telemetry/logger.js';
import { OPT_OUT_CHANNEL, OPT_OUT_SCHEDULE_MS, OptOuts } from '../portal/intake/opt-outs.js';
import type { Infrastructure } from './infrastructure/infrastructure.js';

/** Carries out opt-outs that people sent from pages, within milliseconds of their answers. */
export function startOptOuts(
  { background, metrics }: Infrastructure,
  app: INestApplication,
  logger: Logger,
): { stop(): Promise<void> } {
  const optOuts = app.get(OptOuts, { strict: false });
  const runner = new DeliveryRunner<null>({
    database: background,
    channel: OPT_OUT_CHANNEL,
    deliver: (delivery) => optOuts.carryOut(delivery),
    scheduleMs: OPT_OUT_SCHEDULE_MS,
    observed: (outcome, seconds) => metrics.delivered(OPT_OUT_CHANNEL, outcome, seconds),
    warn: (fault, error) => logger.warn({ error: (error as Error).name }, fault),
  });
  runner.start();
  return { stop: () => runner.stop() };
}
