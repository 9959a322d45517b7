import { createServer } from 'node:http';
import { KeyDirectory, type Sites } from '../../../access/index.js';
import { readCatalogueFolder } from '../../../catalogue/services.js';
import { openLogger, type Logger } from '../../../engines/telemetry/logger.js';
import { epochMs, instantOf, isRefusal, Refused, systemClock, type Instant } from '../../../kernel/index.js';
import type { DemoSettings } from '../../../operator/context.js';
import type { RunningProcess } from '../../process.js';
import { HISTORY_KEY } from './history-key.js';
import { PastService } from './past-service.js';
import { historyOf, RECEIVER_PORTS } from './plan.js';

const SITE = 'demo';
const BY = { actor: 'system:demo' };
const HOUR_MS = 3_600_000;

interface About {
  demo: DemoSettings;
  folder: string;
  sites: Sites;
  /** Of the installation. */
  mailStaysHere: boolean;
  logger: Logger;
}

/**
 * Lets the demo's weeks happen, where they have not yet, one step after the other and each under a key of its own: a
 * start that is cut off leaves whole steps, and the next one goes on. Resolves when it is done or stopped.
 */
export async function makeHistory(running: RunningProcess, about: About, signal: AbortSignal): Promise<void> {
  const keys = running.app.get(KeyDirectory).site(SITE)?.keys;
  const key = [...(keys?.values() ?? [])].find(({ name }) => name === HISTORY_KEY);
  if (!key || key.revokedAt !== null) return;
  try {
    await happen(running, about, key.issuedAt, signal);
    if (signal.aborted) return;
    const ended = about.sites.at(() => instantOf(epochMs(systemClock()) - HOUR_MS));
    const revoked = await ended.revokeKey(SITE, key.keyId, 'moved to a key of its own', BY);
    if (isRefusal(revoked)) throw new Refused(revoked);
  } catch (error) {
    if (!signal.aborted)
      about.logger.warn(
        { reason: (error as Error).message },
        'the history of the demo is not whole; the next start goes on with it',
      );
  }
}

async function happen(
  { infrastructure, options }: RunningProcess,
  { demo, folder, mailStaysHere }: About,
  begins: Instant,
  signal: AbortSignal,
): Promise<void> {
  const catalogue = await readCatalogueFolder(folder);
  const service = await PastService.open(infrastructure, { ...options, logger: openLogger('silent') });
  try {
    const steps = historyOf({ demo, catalogue, begins, mailStaysHere });
    const now = systemClock();
    for (const [i, { at, run }] of steps.entries()) {
      if (signal.aborted) return;
      // A demo that was made just before midnight meets no future.
      if (at < now) await run(service, `demo-history-${i}`);
    }
  } finally {
    await service.close();
  }
}

/** Takes what is sent to the demo's working endpoint, and forgets it. Another demo on this machine may do so already. */
export function openReceiver(): () => Promise<void> {
  const receiver = createServer((request, response) => {
    request.resume();
    response.writeHead(204).end();
  });
  receiver
    .on('error', () => undefined)
    .listen(RECEIVER_PORTS.works, '127.0.0.1')
    .unref();
  return () => new Promise((resolve) => receiver.close(() => resolve()));
}
