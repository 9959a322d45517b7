import type { INestApplication } from '@nestjs/common';
import { createServer } from 'node:http';
import { KeyDirectory, type Sites } from '../../../access/index.js';
import { readCatalogueFolder } from '../../../catalogue/services.js';
import { openLogger, type Logger } from '../../../engines/telemetry/logger.js';
import { epochMs, instantOf, isRefusal, plusMs, Refused, systemClock, type Instant } from '../../../kernel/index.js';
import type { DemoSettings } from '../../../operator/context.js';
import type { RunningProcess } from '../../process.js';
import { SUBJECT_RIGHTS, type SubjectRights } from '../../../subjects/services.js';
import { DAY_MS, HISTORY_DAYS } from './calendar.js';
import { HISTORY_KEY } from './history-key.js';
import { ADA } from './persons.js';
import { CallRefused, PastService } from './past-service.js';
import { ADA_COMES_ON_DAY, historyOf, RECEIVER_PORTS } from './plan.js';

const SITE = 'demo';
const BY = { actor: 'system:demo' };
const HOUR_MS = 3_600_000;

interface About {
  demo: DemoSettings;
  folder: string;
  sites: Sites;
  logger: Logger;
}

/** The key of a history that has not come to its end. */
const openHistory = (app: INestApplication) =>
  [...(app.get(KeyDirectory).site(SITE)?.keys.values() ?? [])].find(
    ({ name, revokedAt }) => name === HISTORY_KEY && revokedAt === null,
  );

/** Makes Ada as of her day of the history. The link to the portal that a start prints would make her as of today. */
export async function knowAda(app: INestApplication): Promise<void> {
  const key = openHistory(app);
  if (!key) return;
  const at = plusMs(key.issuedAt, ADA_COMES_ON_DAY * DAY_MS);
  const reference = { kind: 'email', value: ADA.email } as const;
  const known = await app
    .get<SubjectRights>(SUBJECT_RIGHTS)
    .provide({ site: SITE, env: 'test' }, reference, { ...BY, at });
  if (isRefusal(known)) throw new Refused(known);
}

/**
 * Lets the demo's weeks happen, where they have not yet, one step after the other and each under a key of its own: a
 * start that is cut off leaves whole steps, and the next one goes on. Resolves when it is done or stopped.
 */
export async function makeHistory(running: RunningProcess, about: About, signal: AbortSignal): Promise<void> {
  const key = openHistory(running.app);
  if (!key) return;
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
  { demo, folder, logger }: About,
  begins: Instant,
  signal: AbortSignal,
): Promise<void> {
  const catalogue = await readCatalogueFolder(folder);
  const service = await PastService.open(infrastructure, { ...options, logger: openLogger('silent') }, signal);
  try {
    const steps = historyOf({ demo, catalogue, begins });
    const reached = await reachedBefore(service, demo, begins);
    const refused: string[] = [];
    for (const [i, { at, run }] of steps.entries()) {
      if (signal.aborted) return;
      if (at < reached) continue;
      await run(service, `demo-history-${i}`).catch((error: unknown) => {
        if (!(error instanceof CallRefused)) throw error;
        refused.push(error.message);
      });
    }
    // Who changed the demo between two starts, say by an erasure, may have left no room for a step.
    if (refused.length > 0)
      logger.warn({ steps: refused.length, first: refused[0] }, 'steps of the history of the demo were refused');
  } finally {
    await service.close();
  }
}

/**
 * The beginning of the day that a start before has come to: of what was done on earlier days nothing is repeated, so that
 * no banner counts as shown twice but those of that day.
 */
async function reachedBefore(service: PastService, { secretKey }: DemoSettings, begins: Instant): Promise<Instant> {
  const end = plusMs(begins, (HISTORY_DAYS - 1) * DAY_MS);
  const path = `/v1/statistics/consent?purpose=analytics&by=day&from=${begins.slice(0, 10)}&to=${end.slice(0, 10)}`;
  const { periods } = await service.call({ at: systemClock(), method: 'GET', path, token: secretKey });
  const last = (periods as { from: string; shown: number | null }[]).findLast(({ shown }) => shown !== 0);
  return last ? `${last.from}T00:00:00.000Z` : begins;
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
