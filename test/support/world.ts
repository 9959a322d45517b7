import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import http, { type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { keep } from './keeper.mjs';
import { fourRoles, freePort, type FourRoles, type Service } from './processes.js';
import { answerCheck, type AnswerCheck, type ServedDocument } from './openapi.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MAIN = join(ROOT, 'dist/apps/standalone/main.js');
/** The suite runs against one process, or, so set, against four roles of two processes each on the full topology. */
export const FOUR_ROLES = process.env['ASSENT_TEST_TOPOLOGY'] === 'four-roles';
const STARTS_WITHIN_MS = 30_000;
const CAUGHT_UP_WITHIN_MS = 15_000;
const SPREAD_WITHIN_MS = 10_000;

export interface WorldOptions {
  /** A bundled Postgres of its own, which a killed service leaves behind and the next one adopts. */
  bundled?: boolean;
  /** Four roles of two processes each, whatever the run is about; their engines can be reached as `roles`. */
  fourRoles?: boolean;
  /** Settings above those that a world has by itself. */
  env?: Record<string, string>;
}

export interface DemoKeys {
  site: string;
  publicKey: string;
  secretKey: string;
  operatorToken: string;
  allowedOrigins: string[];
}

export interface Ask {
  /** Default `sk`. Any other text is sent as the bearer token; null sends none. */
  key?: 'pk' | 'sk' | 'operator' | (string & {}) | null;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is, with whatever Content-Type the headers name; `application/json` unless they do. */
  raw?: string | Buffer;
  /** Undefined leaves out what would be sent by itself. */
  headers?: Record<string, string | string[] | undefined>;
  /** The caller's address, as the trusted proxy in front reports it. Default: another one for every request, so that limits per address stay out of the way. */
  from?: string;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  /** The parsed JSON; undefined where the answer is none. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- specs read what they expect
  body: any;
  text: string;
}

export interface World {
  url: string;
  demo: DemoKeys;
  document: ServedDocument;
  databaseUrl: string | null;
  dataFolder: string;
  /** Null where the service is one process. */
  roles: FourRoles | null;
  /** Asks, and rejects where the answer is not as `/openapi.json` documents it. */
  request(method: string, path: string, ask?: Ask): Promise<Answer>;
  /** The reference of a visitor whom nobody has seen. */
  visitor(): string;
  /** Records a consent and answers its record; by default a GRANTED `analytics` of a new visitor, with the public key. */
  recorded(record?: Record<string, unknown>, ask?: Ask): Promise<Answer>;
  /** Resolves when the rows reflect the log up to there; without a position, all of it. */
  caughtUp(position?: string | bigint): Promise<void>;
  /** Ends the process without a chance to do anything. */
  kill9(): Promise<void>;
  /** Starts again what was killed, or stops and starts what runs: same port, data folder and database. */
  restart(): Promise<void>;
  stop(): Promise<void>;
  /** Everything that the process printed, all starts together. */
  output(): string;
}

export const pathOf = (subject: string, rest = ''): string =>
  `/v1/subjects/${encodeURIComponent(subject)}/consent${rest}`;

/** A service of its own: process, port, data folder, database. Answers once it is ready. */
export async function startWorld({
  bundled = false,
  fourRoles: ofRoles = FOUR_ROLES,
  env = {},
}: WorldOptions = {}): Promise<World> {
  if (!existsSync(MAIN)) throw new Error(`${MAIN} is missing: build first (npm run build)`);
  const folder = mkdtempSync(join(tmpdir(), 'assent-world-'));
  const keeper = keep(folder);
  const database = bundled ? null : await createDatabase();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
  const said: string[] = [];
  let callers = 0;
  let check: AnswerCheck | undefined;

  const roles = ofRoles && database ? await fourRoles({ port, folder, databaseUrl: database.url, env, said }) : null;
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
      const child = spawn(process.execPath, [MAIN], {
        cwd: folder,
        env: {
          PATH: process.env['PATH'],
          HOME: process.env['HOME'],
          PORT: String(port),
          ASSENT_DATA: folder,
          ASSENT_TRUST_PROXY: '127.0.0.1/32',
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
      const deadline = Date.now() + STARTS_WITHIN_MS;
      for (;;) {
        const { status } = await exchange('GET', '/readyz', { key: null }).catch(() => ({ status: 0 }));
        if (status === 200) return;
        if (child.exitCode !== null || child.signalCode !== null || Date.now() > deadline)
          throw new Error(`the service did not start:\n${said.join('')}`);
        await pause(20);
      }
    };
    return { start, end, close: () => end('SIGTERM') };
  }

  const exchange = (
    method: string,
    path: string,
    { key = 'sk', body, raw, headers = {}, from }: Ask,
  ): Promise<Answer> => {
    const content = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const names = Object.keys(headers).map((name) => name.toLowerCase());
    const own: Record<string, string | string[] | undefined> = {
      ...(key !== null && !names.includes('authorization') && { Authorization: `Bearer ${credential(key)}` }),
      ...(content !== undefined && !names.includes('content-type') && { 'Content-Type': 'application/json' }),
      ...(content !== undefined &&
        !names.includes('transfer-encoding') && { 'Content-Length': String(Buffer.byteLength(content)) }),
      ...(!names.includes('x-forwarded-for') && { 'X-Forwarded-For': from ?? addressOf(++callers) }),
      ...headers,
    };
    const sent = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined)) as Record<
      string,
      string | string[]
    >;
    return new Promise((resolve, reject) => {
      const request = http.request(`${url}${path}`, { method, headers: sent, agent }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({
            status: response.statusCode!,
            headers: response.headers,
            text,
            body: text !== '' && /json/.test(response.headers['content-type'] ?? '') ? parsed(text) : undefined,
          });
        });
      });
      request.on('error', reject);
      request.end(content);
    });
  };

  const credential = (key: string): string =>
    key === 'pk'
      ? world.demo.publicKey
      : key === 'sk'
        ? world.demo.secretKey
        : key === 'operator'
          ? world.demo.operatorToken
          : key;

  const world: World = {
    url,
    demo: undefined as unknown as DemoKeys,
    document: undefined as unknown as ServedDocument,
    databaseUrl: database?.url ?? null,
    dataFolder: folder,
    roles,
    request: async (method, path, ask = {}) => {
      const answer = await exchange(method, path, ask);
      if (roles && method !== 'GET' && path.startsWith('/admin/'))
        await spread(roles, path.endsWith('/catalogue') ? 'cataloguePosition' : 'keysPosition', answer);
      check?.(method, path, answer);
      return answer;
    },
    visitor: () => `visitor_id:${randomBytes(16).toString('hex')}`,
    recorded: async (record = {}, ask = {}) => {
      const answer = await world.request('POST', '/v1/consent', {
        key: 'pk',
        body: { subject: world.visitor(), purpose: 'analytics', decision: 'GRANTED', ...record },
        ...ask,
      });
      if (answer.status !== 201) throw new Error(`not recorded: ${answer.status} ${answer.text}`);
      return answer;
    },
    caughtUp: async (position) => {
      const deadline = Date.now() + CAUGHT_UP_WITHIN_MS;
      let wanted = position === undefined ? null : BigInt(position);
      for (;;) {
        const { status, body } = await exchange('GET', '/readyz', { key: null });
        if (status === 200) {
          wanted ??= BigInt(body.logPosition as string);
          if (BigInt(body.readPosition as string) >= wanted) return;
        }
        if (Date.now() > deadline) throw new Error(`the rows did not reach ${wanted}: ${JSON.stringify(body)}`);
        await pause(5);
      }
    },
    kill9: () => service.end('SIGKILL'),
    restart: async () => {
      await service.end('SIGTERM');
      await service.start();
    },
    stop: async () => {
      agent.destroy();
      await service.close();
      await database?.drop();
      await keeper.clean();
    },
    output: () => said.join(''),
  };
  try {
    await service.start();
    world.demo = JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8')) as DemoKeys;
    world.document = (await exchange('GET', '/openapi.json', { key: null })).body as ServedDocument;
    check = answerCheck(world.document);
    return world;
  } catch (error) {
    await world.stop();
    throw error;
  }
}

/** Resolves when every instance applies what the operator changed. The service promises 5 s; tests are about what follows. */
async function spread(
  roles: FourRoles,
  known: 'keysPosition' | 'cataloguePosition',
  { headers }: Answer,
): Promise<void> {
  const position = headers['x-log-position'];
  if (position === undefined) return;
  const deadline = Date.now() + SPREAD_WITHIN_MS;
  for (const { url } of roles.instances().filter(({ role }) => role.endsWith('api'))) {
    for (;;) {
      const { [known]: at } = (await (await fetch(`${url}/readyz`)).json()) as Record<string, string>;
      if (at !== undefined && BigInt(at) >= BigInt(position as string)) break;
      if (Date.now() > deadline) throw new Error(`${url} does not know position ${position}: ${known} is ${at}`);
      await pause(5);
    }
  }
}

/** An answer that calls itself JSON and is none is for the check of answers to find. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** 10.0.0.1 and up. */
const addressOf = (caller: number): string => `10.${(caller >> 16) & 255}.${(caller >> 8) & 255}.${caller & 255}`;

async function createDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const shared = process.env['ASSENT_TEST_POSTGRES'];
  if (!shared)
    throw new Error('ASSENT_TEST_POSTGRES is not set: run the spec with jest, whose globalSetup starts a Postgres');
  const name = `world_${randomBytes(6).toString('hex')}`;
  await administer(shared, `create database ${name}`);
  const url = new URL(shared);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => administer(shared, `drop database if exists ${name} with (force)`) };
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
