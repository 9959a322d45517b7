import { openOperatorSignIn } from '../access/context.js';
import type { INestApplication } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import type { Config } from '../engines/config/config.js';
import { KeyDirectory } from '../access/index.js';
import { openProviders } from '../consent-strings/context.js';
import { KnownLogs } from '../log/known-log.js';
import { Database } from '../engines/database/database.js';
import { noteLogPrefix, proveLogPrefix } from '../engines/database/log-prefix.js';
import { isPrivate } from '../http/this-machine.js';
import { patiently } from '../engines/patience.js';
import { StartRefused } from '../engines/start-refused.js';
import type { Logger } from '../engines/telemetry/logger.js';
import { startTracing } from '../engines/telemetry/tracing.js';
import type { MasterKey } from '../vault/master-key.js';
import { openMasterKey, type GivenMasterKeys } from '../vault/open-master-key.js';
import { leaveProof, proveMasterKey } from '../vault/master-key-proof.js';
import { createApplication } from './application.js';
import type { ApplicationOptions } from './application-options.js';
import { startChores } from './chores.js';
import { COMPOSITION } from './contexts.js';
import type { FastExpressAdapter } from '../http/fast-express.adapter.js';
import { openEventStore, openSharedCaches } from './infrastructure/engines.js';
import { Infrastructure } from './infrastructure/infrastructure.js';
import { tellOfLog } from './infrastructure/log-news.js';
import { startMail } from './mail.js';
import { ReadinessProbe } from './health/readiness.js';
import type { WorkerEngines } from '../context/worker.js';
import { ROLES, type Role } from '../context/role.js';

/** How long a process waits to know keys and purposes before it listens all the same. */
const READY_WITHIN_MS = 10_000;
/** Time for a load balancer to notice that an instance is leaving, in ms. */
const DRAIN_MS = 2_000;

/** Closes what was opened, the last one first. A step that fails does not keep the others from closing. */
export class Closing {
  private readonly steps: (() => Promise<unknown>)[] = [];

  constructor(private readonly say: (line: string) => void) {}

  add(step: () => Promise<unknown>): void {
    this.steps.push(step);
  }

  async close(): Promise<void> {
    for (let step = this.steps.pop(); step; step = this.steps.pop())
      await step().catch((error: unknown) => this.say(`while stopping: ${(error as Error).message}`));
  }
}

/** What a process is given each time it begins. */
export interface Life {
  closing: Closing;
  say: (line: string) => void;
  /** Ends all that was opened, and begins again. Called where what the process remembers no longer holds. */
  beginAnew: () => void;
}

export interface RunningProcess {
  app: INestApplication;
  infrastructure: Infrastructure;
  /** That `app` was made with. */
  options: ApplicationOptions;
  /** Of this database. */
  isFirstStart: boolean;
  listen(): Promise<void>;
}

const NOT_ACCEPTED =
  'the event log is not the one that is known: nothing is written until the right one is back, or an operator accepts this one (assent log status)';

/**
 * How V8 manages the memory of a process.
 * - The heap may grow by half over what lives in it before it is collected; V8's own choice is two to three times as much.
 *   310 MB became 234 MB after 30 s of mixed load, one run each on a busy machine.
 * - No object is put among the old ones at once because those that the same line of code made before have lived long,
 *   as they do while a process starts (pretenuring). Garbage among the old ones keeps all that it refers to until the
 *   next full collection: at 55 decisions a second those came every 10 to 30 s with it, and once a minute without.
 */
export const MEMORY_FLAGS = ['--heap-growing-percent=50', '--no-allocation-site-pretenuring'];

/** Opens the engines, runs what the roles run, and prepares the HTTP interface; `listen` begins to take requests. */
export async function openProcess(
  config: Config,
  databaseUrl: string,
  masterKeys: GivenMasterKeys,
  roles: readonly Role[],
  logger: Logger,
  { closing, say, beginAnew }: Life,
): Promise<RunningProcess> {
  for (const flag of MEMORY_FLAGS) setFlagsFromString(flag);
  const endTracing = await startTracing(process.env, roles.length === ROLES.length ? 'standalone' : roles.join('-'));
  closing.add(endTracing);
  const { master, epoch } = await readFirst(databaseUrl, masterKeys, say);
  const shared = await openSharedCaches(config.redisUrl, epoch, (available, reason) => {
    if (available) logger.info({ reason }, 'Redis is there: limits and caches are shared');
    else logger.warn({ reason }, 'Redis is away: limits hold per instance, answers come from rows');
  });
  const infrastructure = new Infrastructure({
    databaseUrl,
    eventStore: await openEventStore(config),
    shared,
    master,
    roles,
    projectionShards: config.projectionShards,
    tell: tellOfLog(config.esdbUrl === null ? 'Postgres' : 'EventStoreDB', logger),
    logChanged: (difference) => {
      if (difference === null) logger.info('the event log is the known one again');
      else logger.error({ difference }, NOT_ACCEPTED);
    },
    beginAnew,
  });
  closing.add(() => infrastructure.close());
  await patiently(say, async () => {
    await noteLogPrefix(infrastructure.requests, config.logPrefix);
    await proveLogPrefix(infrastructure.requests, config.logPrefix);
  });
  const isFirstStart = await patiently(say, () => leaveProof(infrastructure.vault));
  await patiently(say, () => proveMasterKey(infrastructure.vault));
  await infrastructure.start(say);
  const options: ApplicationOptions = {
    roles,
    publicUrl: config.publicUrl,
    port: config.port,
    readsRetentionDays: config.accessLogRetentionDays,
    trustedProxies: config.trustProxy,
    localPages: config.databaseUrl === null && process.env['NODE_ENV'] !== 'production',
    console: config.console,
    signIn: await openOperatorSignIn(config, logger),
    edgeHeaders: config.edgeHeaders,
    webhooks: { ...config.webhooks, isBundled: config.databaseUrl === null },
    vendorLists: config.vendorLists,
    providers: openProviders(config.vendorLists.providersPath),
    mail: {
      sender: config.mailFrom,
      operator: config.operatorMail,
      outbox: config.smtpUrl !== null ? 'NONE' : isPrivate(config) ? 'THIS_MACHINE' : 'OPERATOR',
    },
    logger,
  };
  const app = await createApplication(infrastructure, options);
  closing.add(() => app.close());
  if (roles.includes('dispatcher')) {
    const chores = startChores(COMPOSITION.chores, infrastructure, app.get(CommandBus), logger);
    closing.add(() => chores.stop());
    const mail = await startMail(infrastructure, app, config.smtpUrl, logger);
    closing.add(() => mail.stop());
    const { background, log, codec, vault, master, metrics } = infrastructure;
    const get: WorkerEngines['get'] = (token) => app.get(token, { strict: false });
    for (const start of COMPOSITION.workers) {
      const worker = start({ background, log, codec, vault, master, metrics, logger, get });
      closing.add(() => worker.stop());
    }
  }
  const listen = async (): Promise<void> => {
    // Before it knows keys and purposes it could only answer 503. If the log is away, it listens all the same and answers that.
    await Promise.all([
      app.get(KeyDirectory).ready(READY_WITHIN_MS),
      infrastructure.catalogue.follower.ready(READY_WITHIN_MS),
    ]).catch(() => undefined);
    await app.listen(config.port, config.host).catch((error: NodeJS.ErrnoException) => {
      throw listenRefusal(error, config.host, config.port);
    });
  };
  return { app, infrastructure, options, isFirstStart, listen };
}

/**
 * Runs a process until a signal ends it. Where all that it remembers may be of an event log that is gone, it closes what
 * it opened and begins again by itself: no cache can then be forgotten. Resolves once it has begun.
 */
export async function live(say: (line: string) => void, begin: (life: Life) => Promise<RunningProcess>): Promise<void> {
  const closing = new Closing(say);
  let beginAnew!: () => void;
  const isOver = new Promise<void>((resolve) => (beginAnew = resolve));
  let running: RunningProcess;
  try {
    running = await begin({ closing, say, beginAnew });
  } catch (error) {
    await closing.close();
    throw error;
  }
  const stopListening = stopOnSignal(running, closing, say);
  const again = async (): Promise<void> => {
    await isOver;
    stopListening();
    say('which event log is right was decided; beginning anew...');
    await endOf(running, closing);
    await live(say, begin);
  };
  void orExplain(again());
}

async function endOf({ app }: RunningProcess, closing: Closing): Promise<void> {
  // Before anything else stops: requests under way need all of it.
  await (app.getHttpAdapter() as FastExpressAdapter).endConnections();
  await closing.close();
}

/**
 * Ends the process on SIGTERM or SIGINT. After SIGTERM it answers for two seconds more, and /readyz says that it is
 * stopping, so that load balancers have time to send traffic elsewhere. Connections are kept meanwhile: a client that had
 * to open another one might do so in the very moment in which the process stops listening. SIGINT, which is Ctrl-C, comes
 * from a person who waits, and ends the two seconds. Then the process takes no new connections, requests under way get
 * their answers, and engines are closed. Answers how to listen no more.
 */
function stopOnSignal(running: RunningProcess, closing: Closing, say: (line: string) => void): () => void {
  const { app } = running;
  const hurry = new AbortController();
  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    say('stopping...');
    app.get(ReadinessProbe).draining = true;
    await pause(DRAIN_MS, undefined, { signal: hurry.signal }).catch(() => undefined);
    await endOf(running, closing);
    process.exit(0);
  };
  const onTerminate = (): void => void stop();
  const onInterrupt = (): void => {
    hurry.abort();
    void stop();
  };
  process.on('SIGINT', onInterrupt).on('SIGTERM', onTerminate);
  return () => process.off('SIGINT', onInterrupt).off('SIGTERM', onTerminate);
}

/** What stands in the database and is needed to open anything: what the master key took over, which log was accepted. */
async function readFirst(
  databaseUrl: string,
  masterKeys: GivenMasterKeys,
  say: (line: string) => void,
): Promise<{ master: MasterKey; epoch: string }> {
  const database = new Database(databaseUrl, { max: 1, name: 'assent start' });
  try {
    const master = await patiently(say, () => openMasterKey(database, masterKeys));
    const { epoch } = await patiently(say, () => new KnownLogs(database).read());
    return { master, epoch };
  } finally {
    await database.close();
  }
}

/** Throws StartRefused where the port cannot be listened on: asked before anything is made that takes long. */
export async function requireFreePort({ host, port }: Config): Promise<void> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', (error) => reject(listenRefusal(error, host, port) as Error)).listen(port, host, resolve);
  });
  await new Promise<void>((resolve) => probe.close(() => resolve()));
}

function listenRefusal(error: NodeJS.ErrnoException, host: string, port: number): unknown {
  if (error.code === 'EADDRINUSE')
    return new StartRefused(`Port ${port} is taken by another program; stop it, or set PORT to a free one.`, {
      cause: error,
    });
  if (error.code === 'EACCES')
    return new StartRefused(`Port ${port} may not be used by this user; set PORT to one above 1023.`, { cause: error });
  if (error.code === 'EADDRNOTAVAIL')
    return new StartRefused(`This machine has no address ${host}; set HOST to one it has.`, { cause: error });
  return error;
}

/** Ends the process where it cannot start. A StartRefused is printed as one clear line; everything else is a bug and keeps its stack. */
export async function orExplain(start: Promise<void>): Promise<void> {
  try {
    await start;
  } catch (error) {
    console.error((error as Error).name === 'StartRefused' ? (error as Error).message : error);
    process.exit(1);
  }
}
