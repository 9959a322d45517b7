import { randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { asking, unhurried, type Answer, type Ask } from './asking.js';
import { startInstallation, type Installation, type InstallationOptions } from './installation.js';
import { EventsSeen } from './events-seen.js';
import { answerCheck, type AnswerCheck, type ServedDocument } from './openapi.js';
import type { FourRoles } from './processes.js';
import { ReceiptsSeen } from './receipts-seen.js';
import { shared, type Action, type SharedInstallation } from './installation-host.js';

export type { Answer, Ask } from './asking.js';

/** The suite runs against one process, or, so set, against four roles of two processes each on the full topology. */
export const FOUR_ROLES = process.env['ASSENT_TEST_TOPOLOGY'] === 'four-roles';
const CAUGHT_UP_WITHIN_MS = 240_000;
const SPREAD_WITHIN_MS = 240_000;
const OUTPUT_WITHIN_MS = 240_000;
const LOOK_EVERY_MS_MAX = 50;

export interface WorldOptions extends InstallationOptions {
  /** An installation of its own, whose site is `demo`. Implied by every other option. */
  own?: boolean;
  /** Engines below it are stopped, or hold what nobody can read: an answer that one is missing is not asked for again. */
  breakable?: boolean;
}

export interface DemoKeys {
  site: string;
  publicKey: string;
  secretKey: string;
  operatorToken: string;
  allowedOrigins: string[];
}

export interface World {
  url: string;
  demo: DemoKeys;
  document: ServedDocument;
  databaseUrl: string | null;
  dataFolder: string;
  /** Null where the service is one process. */
  roles: Pick<FourRoles, 'env' | 'instances'> | null;
  /** The engines below four roles, to break; null where they are shared with other specs. */
  engines: FourRoles | null;
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
  /** Starts again what was killed, or stops and starts what answers requests: same port, data folder and database. */
  restart(): Promise<void>;
  stop(): Promise<void>;
  /** Everything that the processes printed since this world began, all starts together. */
  output(): string;
  /** The same, once something stands in it: a line may come later than the answer that it is about. */
  outputWith(holds: (output: string) => boolean): Promise<string>;
}

export const pathOf = (subject: string, rest = ''): string =>
  `/v1/subjects/${encodeURIComponent(subject)}/consent${rest}`;

/** Of the site that a new installation brings along. Other specs of the same run read it too. */
export const keysOfDemo = ({ dataFolder }: Pick<World, 'dataFolder'>): DemoKeys =>
  JSON.parse(readFileSync(join(dataFolder, 'demo.json'), 'utf8')) as DemoKeys;

/**
 * A service to ask, and a site in it that nobody else uses. Without options the service is shared with the specs that
 * run before and after in the same worker; it may be killed and restarted, but not configured.
 */
export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const isOwn = Object.keys(options).length > 0;
  const own = isOwn ? await startInstallation({ ...options, fourRoles: options.fourRoles ?? FOUR_ROLES }) : null;
  const joined = own ? null : await joinShared(FOUR_ROLES ? 'four-roles' : 'standalone');
  const service: Service = own ?? joined!;
  // What others were told before is not this world's.
  const from = isOwn ? 0 : statSync(service.outputFile).size;
  const output = (): string => readFileSync(service.outputFile).subarray(from).toString('utf8');
  const { url, roles } = service;
  const demo = keysOfDemo(service);
  let check: AnswerCheck | undefined;
  // What a world of its own breaks, or brings back from before, has no receipts to promise.
  const receipts = joined ? new ReceiptsSeen() : null;
  const events = joined ? await EventsSeen.begin(joined.databaseUrl!) : null;
  /** Of the last write here: its events must be there when they are looked at. */
  let lastPosition = -1n;
  const { exchange, rest, close } = asking(url, (key) =>
    key === 'pk' ? demo.publicKey : key === 'sk' ? demo.secretKey : key === 'operator' ? demo.operatorToken : key,
  );

  const world: World = {
    url,
    demo,
    document: undefined as unknown as ServedDocument,
    databaseUrl: service.databaseUrl,
    dataFolder: service.dataFolder,
    roles,
    engines: own?.roles ?? null,
    request: async (method, path, ask = {}) => {
      const answer = await (options.breakable ? exchange(method, path, ask) : unhurried(exchange, method, path, ask));
      if (roles && method !== 'GET' && path.startsWith('/admin/'))
        await spread(roles, path.includes('/catalogue') ? 'cataloguePosition' : 'keysPosition', answer);
      check?.(method, path, answer);
      receipts?.note(method, path, answer);
      const position = BigInt((answer.headers['x-log-position'] as string | undefined) ?? -1);
      if (position > lastPosition) lastPosition = position;
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
      for (let look = 0; ; look++) {
        const { status, body } = await exchange('GET', '/readyz', { key: null });
        if (status === 200 && body.logPosition !== null) {
          wanted ??= BigInt(body.logPosition as string);
          if (BigInt(body.readPosition as string) >= wanted) return;
        }
        if (Date.now() > deadline) throw new Error(`the rows did not reach ${wanted}: ${JSON.stringify(body)}`);
        await beforeLookingAgain(look);
      }
    },
    kill9: () => service.kill9(),
    restart: () => {
      // The service gives a connection at rest a second to be used once more.
      rest();
      return service.restart();
    },
    stop: async () => {
      try {
        await receipts?.verifyAll(exchange);
        if (lastPosition >= 0n) await events?.verifyAll(exchange, lastPosition);
      } finally {
        close();
        await service.stop();
      }
    },
    output,
    async outputWith(holds) {
      for (let looks = 0, until = Date.now() + OUTPUT_WITHIN_MS; !holds(output()) && Date.now() < until; looks++)
        await beforeLookingAgain(looks);
      return output();
    },
  };
  try {
    world.document = (await exchange('GET', '/openapi.json', { key: null })).body as ServedDocument;
    check = answerCheck(world.document);
    if (joined) Object.assign(demo, await ownSite(world, joined.catalogue));
    return world;
  } catch (error) {
    await world.stop();
    throw error;
  }
}

type Service = Pick<
  Installation,
  'url' | 'databaseUrl' | 'dataFolder' | 'outputFile' | 'kill9' | 'restart' | 'stop'
> & { roles: World['roles'] };

async function joinShared(
  topology: 'standalone' | 'four-roles',
): Promise<Service & Pick<SharedInstallation, 'catalogue'>> {
  const joined = await shared(topology, 'join');
  let { roles } = joined;
  const act = async (action: Action): Promise<void> => void ({ roles } = await shared(topology, action));
  return {
    ...joined,
    roles: roles && { env: roles.env, instances: () => roles!.instances },
    kill9: () => act('kill9'),
    restart: () => act('restart'),
    // It stays for who comes next.
    stop: () => Promise.resolve(),
  };
}

/** A site like the demo site of a new installation, with keys of its own. */
async function ownSite(
  world: World,
  { files: _, ...catalogue }: SharedInstallation['catalogue'],
): Promise<Pick<DemoKeys, 'site' | 'publicKey' | 'secretKey' | 'allowedOrigins'>> {
  const site = `demo-${randomBytes(5).toString('hex')}`;
  const operate = async (path: string, body: unknown): Promise<Answer> => {
    const answer = await world.request('POST', `/admin/v1/sites${path}`, { key: 'operator', body });
    if (answer.status < 300) return answer;
    throw new Error(`no site to test with: ${answer.status} ${answer.text}`);
  };
  const allowedOrigins = [world.url, 'http://localhost:3000'];
  await operate('', {
    site,
    name: 'Demo Shop',
    domains: ['demo.example'],
    languages: ['en', 'de'],
    defaultLocale: 'en',
    allowedOrigins: { test: allowedOrigins, live: [] },
  });
  const issue = async (type: 'pk' | 'sk'): Promise<string> =>
    (await operate(`/${site}/keys`, { type, env: 'test', name: type })).body.key as string;
  const [publicKey, secretKey] = [await issue('pk'), await issue('sk')];
  await operate(`/${site}/test/catalogue`, catalogue);
  return { site, publicKey, secretKey, allowedOrigins };
}

/** Resolves when every instance applies what the operator changed. The service promises 5 s; tests are about what follows. */
async function spread(
  roles: NonNullable<World['roles']>,
  known: 'keysPosition' | 'cataloguePosition',
  { headers }: Answer,
): Promise<void> {
  const position = headers['x-log-position'];
  if (position === undefined) return;
  const deadline = Date.now() + SPREAD_WITHIN_MS;
  for (const { url } of roles.instances().filter(({ role }) => role.endsWith('api'))) {
    for (let look = 0; ; look++) {
      const { [known]: at } = (await (await fetch(`${url}/readyz`)).json()) as Record<string, string>;
      if (at !== undefined && BigInt(at) >= BigInt(position as string)) break;
      if (Date.now() > deadline) throw new Error(`${url} does not know position ${position}: ${known} is ${at}`);
      await beforeLookingAgain(look);
    }
  }
}

/** Whether a service is ready costs it several statements: whoever has waited for a while looks less often. */
const beforeLookingAgain = (looks: number): Promise<void> => pause(Math.min(5 * 1.5 ** looks, LOOK_EVERY_MS_MAX));
