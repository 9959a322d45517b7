import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commanded } from './command-line.js';
import { ProtocolServer } from './eventstoredb/protocol-server.js';
import { freePort } from './free-port.js';
import { keep } from './keeper.mjs';
import { NODE_OPTIONS } from './node-options.mjs';
import { startProxy } from './proxy.js';
import { ready } from './ready.js';
import { startRedis, type RedisServer } from './redis.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Of what processes printed, in an error; the last is the nearest to it. */
const SHOWN_MAX = 8_000;

/** Takes what processes print. */
export interface Transcript {
  push(text: string): unknown;
}

/** A service as a world needs it, however many processes it is. */
export interface Service {
  /** Starts what does not run; resolves when all of it is ready. */
  start(): Promise<void>;
  end(signal: NodeJS.Signals): Promise<void>;
  /** Stops the processes that answer requests. The others keep nothing in memory that an answer is made of. */
  stopAnswering(): Promise<void>;
  /** Ends its engines too. */
  close(): Promise<void>;
}

export interface Running {
  child: ChildProcess;
  ended: Promise<void>;
  keeper: ReturnType<typeof keep>;
}

/**
 * Starts one program of the service; `keeper` sees to it that it does not outlive the tests. `root`: of another release
 * than this one.
 */
export function launch(
  app: string,
  args: readonly string[],
  env: Record<string, string | undefined>,
  said: Transcript,
  root = ROOT,
): Running {
  const folder = mkdtempSync(join(tmpdir(), 'assent-process-'));
  const keeper = keep(folder);
  const child = spawn(process.execPath, [...NODE_OPTIONS, join(root, `dist/apps/${app}/main.js`), ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding('utf8').on('data', (text: string) => said.push(text));
  keeper.watch(child.pid ?? null);
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  return { child, ended, keeper };
}

export async function finish({ child, ended, keeper }: Running, signal: NodeJS.Signals): Promise<void> {
  child.kill(signal);
  await ended;
  keeper.watch(null);
  await keeper.clean();
}

const ROLES = ['write-api', 'read-api', 'projector', 'dispatcher'];
const isAnswering = (role: string): boolean => role.endsWith('api');

export interface FourRoles extends Service {
  /** What every process of the installation is started with. */
  env: Record<string, string>;
  /** Null where the log is in a real server, which is not ours to break. */
  events: ProtocolServer | null;
  redis: RedisServer;
  /** Every instance with its own address, those of one role side by side. */
  instances(): { role: string; url: string; pid: number }[];
  /** Kills one instance, or stops it with a signal, and starts it again. */
  restartOne(index: number, signal: NodeJS.Signals): Promise<void>;
}

/**
 * Four roles on Postgres, Redis and the EventStoreDB that ESDB_URL names, behind one proxy. Without ESDB_URL it is one that
 * speaks its protocol. Each installation has a prefix of its own, so that many share a server. `perRole`: how many
 * processes each role has, `perWorker`: those that no request goes to.
 */
export async function fourRoles(options: {
  port: number;
  folder: string;
  databaseUrl: string;
  env: Record<string, string>;
  said: Transcript & { all(): string };
  perRole: number;
  /** Of the roles that answer nobody; as many by default. */
  perWorker?: number;
}): Promise<FourRoles> {
  const { port, folder, databaseUrl, said, perRole, perWorker = perRole } = options;
  const instances = ROLES.flatMap((role) =>
    Array.from({ length: isAnswering(role) ? perRole : perWorker }, () => role),
  );
  const real = process.env['ESDB_URL'];
  const [events, redis] = await Promise.all([real ? null : ProtocolServer.start(), startRedis()]);
  const url = `http://127.0.0.1:${port}`;
  const common = {
    DATABASE_URL: databaseUrl,
    ESDB_URL: events?.url ?? real!,
    ASSENT_LOG_PREFIX: `world_${randomBytes(6).toString('hex')}`,
    REDIS_URL: redis.url,
    ASSENT_MASTER_KEY: randomBytes(32).toString('base64'),
    ASSENT_PUBLIC_URL: url,
    ASSENT_TRUST_PROXY: '127.0.0.1/32',
    ASSENT_COUNTRY_HEADER: 'X-Edge-Country',
    ASSENT_REGION_HEADER: 'X-Edge-Region',
    ASSENT_WEBHOOK_ALLOW: '127.0.0.0/8,::1/128',
    ...options.env,
  };
  const ports = await Promise.all(instances.map(freePort));
  const addresses = ports.map((own) => `http://127.0.0.1:${own}`);
  const running: (Running | null)[] = instances.map(() => null);
  const of = (role: string): string[] => addresses.filter((_, index) => instances[index] === role);
  const proxy = await startProxy(port, { write: of('write-api'), read: of('read-api') });
  let prepared = false;

  const startOne = async (index: number): Promise<void> => {
    const process = launch(instances[index]!, [], { ...common, PORT: String(ports[index]) }, said);
    running[index] = process;
    await ready(process.child, addresses[index]!, said.all);
  };
  const endOne = async (index: number, signal: NodeJS.Signals): Promise<void> => {
    const process = running[index];
    running[index] = null;
    if (!process) return;
    const { exitCode } = process.child;
    await finish(process, signal);
    // Nobody starts it again, so what is tried after that would be tried on less than all of it.
    if (exitCode !== null)
      throw new Error(`${instances[index]} ended by itself with ${exitCode}:\n${said.all().slice(-SHOWN_MAX)}`);
  };
  const end = async (signal: NodeJS.Signals, which = (_role: string): boolean => true): Promise<void> =>
    void (await Promise.all(instances.map(async (role, index) => which(role) && endOne(index, signal))));

  return {
    env: common,
    events,
    redis,
    instances: () =>
      instances.map((role, index) => ({ role, url: addresses[index]!, pid: running[index]?.child.pid ?? 0 })),
    restartOne: async (index, signal) => {
      await endOne(index, signal);
      await startOne(index);
    },
    start: async () => {
      if (!prepared) {
        await commanded(['migrate'], common);
        await commanded(['demo'], { ...common, ASSENT_DATA: folder });
        prepared = true;
      }
      await Promise.all(instances.map(async (_, index) => running[index] ?? startOne(index)));
    },
    end,
    stopAnswering: () => end('SIGTERM', isAnswering),
    close: async () => {
      try {
        await end('SIGKILL');
      } finally {
        await proxy.close();
        await Promise.all([events?.stop(), redis.stop()]);
      }
    },
  };
}
