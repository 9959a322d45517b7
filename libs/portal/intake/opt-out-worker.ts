import type { StartWorker } from '../../context/worker.js';
import { DeliveryRunner } from '../../deliveries/runner.js';
import { OPT_OUT_CHANNEL, OPT_OUT_SCHEDULE_MS, OptOuts } from './opt-outs.js';

/** Carries out opt-outs that people sent from pages, within milliseconds of their answers. */
export const startOptOuts: StartWorker = ({ background, metrics, logger, get }) => {
  const optOuts = get(OptOuts);
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
};
