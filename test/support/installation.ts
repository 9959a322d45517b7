import { spawn, type ChildProcess } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createDatabase } from './databases.js';
import { keep } from './keeper.mjs';
import { NODE_OPTIONS } from './node-options.mjs';
import { freePort } from './free-port.js';
import type { FourRoles, Service } from './processes.js';
import { ready } from './ready.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MAIN = join(ROOT, 'dist/apps/standalone/main.js');

export interface InstallationOptions {
  /** A bundled Postgres of its own, which a killed service leaves behind and the next one adopts. */
  bundled?: boolean;
  /** Four roles instead of one process. */
  fourRoles?: boolean;
  /** How many processes of each of the four roles; two by default. */
  perRole?: number;
  /** The same of projector and dispatcher, which no request goes to; as `perRole` by default. */
  perWorker?: number;
  /** Settings above those that an installation has by itself. */
  env?: Record<string, string>;
}

/** The service as somebody runs it: its processes, port, data folder and database. */
export interface Installation {
  url: string;
  /** Null where its Postgres is its own. */
  databaseUrl: string | null;
  /** Holds `demo.json`. */
  dataFolder: string;
  /** Everything that its processes print, all starts together, is in this file. */
  outputFile: string;
  /** Null where it is one process. */
  roles: FourRoles | null;
  /** Ends its processes without a chance to do anything. */
  kill9(): Promise<void>;
  /** Starts again what was killed, or stops and starts what answers requests: same port, data folder and database. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Answers once it is ready. */
export async function startInstallation({
  bundled = false,
  fourRoles: ofRoles = false,
  perRole = 2,
  perWorker = perRole,
  env = {},
}: InstallationOptions = {}): Promise<Installation> {
  if (!existsSync(MAIN)) throw new Error(`${MAIN} is missing: build first (npm run build)`);
  const folder = mkdtempSync(join(tmpdir(), 'assent-world-'));
  const outputFile = `${folder}.output`;
  appendFileSync(outputFile, '');
  const said = {
    push: (text: string) => appendFileSync(outputFile, text),
    all: () => readFileSync(outputFile, 'utf8'),
  };
  const keeper = keep(folder);
  const database = bundled ? null : await createDatabase('assent_whole');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  // Loaded by those who need it only: it brings all that EventStoreDB's protocol takes.
  const roles =
    ofRoles && database
      ? await (
          await import('./processes.js')
        ).fourRoles({ port, folder, databaseUrl: database.url, env, said, perRole, perWorker })
      : null;
  const service: Service = roles ?? standalone();

  function standalone(): Service {
    let running: { child: ChildProcess; ended: Promise<void> } | null = null;
    const end = async (signal: NodeJS.Signals): Promise<void> => {
      if (!running) return;
      const { child, ended } = running;
      running = null;
      child.kill(signal);
      await ended;
      keeper.watch(null);
    };
    const start = async (): Promise<void> => {
      const child = spawn(process.execPath, [...NODE_OPTIONS, MAIN], {
        cwd: folder,
        env: {
          PATH: process.env['PATH'],
          HOME: process.env['HOME'],
          PORT: String(port),
          ASSENT_DATA: folder,
          ASSENT_DEMO: 'empty',
          ASSENT_TRUST_PROXY: '127.0.0.1/32',
          ASSENT_COUNTRY_HEADER: 'X-Edge-Country',
          ASSENT_REGION_HEADER: 'X-Edge-Region',
          ASSENT_WEBHOOK_ALLOW: '127.0.0.0/8,::1/128',
          ...(database && { DATABASE_URL: database.url }),
          ...env,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => said.push(text));
      const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
      keeper.watch(child.pid ?? null);
      running = { child, ended };
      await ready(child, url, said.all);
    };
    // Nobody asks any more where it is closed, so it need not wait for traffic to go elsewhere.
    return { start, end, stopAnswering: () => end('SIGTERM'), close: () => end('SIGINT') };
  }

  const stop = async (): Promise<void> => {
    await service.close();
    await database?.drop();
    await keeper.clean();
    rmSync(outputFile, { force: true });
  };
  try {
    await service.start();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url,
    databaseUrl: database?.url ?? null,
    dataFolder: folder,
    outputFile,
    roles,
    kill9: () => service.end('SIGKILL'),
    restart: async () => {
      await service.stopAnswering();
      await service.start();
    },
    stop,
  };
}
