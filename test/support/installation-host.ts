import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { CatalogueFolder } from '../../libs/catalogue/files.js';
import type { runAssent as RunAssent } from '../../libs/composition/command-line.js';
import { startInstallation, type Installation } from './installation.js';

const DEMO = fileURLToPath(new URL('../../apps/standalone/demo', import.meta.url));
const COMMAND_LINE = new URL('../../dist/libs/composition/command-line.js', import.meta.url).href;

/**
 * What answers requests runs twice, so that processes have to agree. Where specs run at length, so does what works behind
 * them; how one of two takes over is a campaign of its own, and an idle process costs 3 % of a core.
 */
const FOUR_ROLES = { fourRoles: true, perWorker: process.env['FOUR_ROLES_ALL'] === '1' ? 2 : 1 };

/** An installation that outlives the specs that use it, as they are told of it. */
export interface SharedInstallation extends Pick<Installation, 'url' | 'databaseUrl' | 'dataFolder' | 'outputFile'> {
  roles: { env: Record<string, string>; instances: { role: string; url: string; pid: number }[] } | null;
  /** What every site of a test publishes: the same as the demo site of a new installation. */
  catalogue: CatalogueFolder;
}

export type Action = 'join' | 'kill9' | 'restart';

/** What a command of the `assent` program answered. */
export interface Outcome {
  code: number | null;
  out: string;
  err: string;
}

/**
 * Keeps installations for the specs of a test run, which come and go: jest gives each spec fresh modules, so what they
 * share has to live in another process. Asked by `POST /<name>/<action>`; the name says the topology and whose it is,
 * `standalone-1` or `four-roles-1`. Each starts when it is first asked for. `POST /assent` runs one call of the command
 * line here, where its modules are loaded already.
 */
export async function hostInstallations(): Promise<{ url: string; stop(): Promise<void> }> {
  const started = new Map<string, Promise<Installation>>();
  const down = new Set<string>();
  // Loaded here and handed on, so that specs need no reader of YAML.
  const { readCatalogueFolder } = await import('../../libs/catalogue/files.js');
  const catalogue = await readCatalogueFolder(DEMO);

  async function act(name: string, action: Action): Promise<SharedInstallation> {
    if (!started.has(name)) started.set(name, startInstallation(name.startsWith('four-roles') ? FOUR_ROLES : {}));
    const installation = await started.get(name)!;
    if (action !== 'join') down.add(name);
    if (action === 'kill9') {
      await installation.kill9();
    } else if (down.has(name)) {
      await installation.restart();
      // One that does not start again is started for whoever comes next: the other specs are not about that.
      down.delete(name);
    }
    const { url, databaseUrl, dataFolder, outputFile, roles } = installation;
    return {
      url,
      databaseUrl,
      dataFolder,
      outputFile,
      catalogue,
      roles: roles && { env: roles.env, instances: roles.instances() },
    };
  }

  const server = http.createServer((request, response) => {
    const [, name = '', action = ''] = request.url!.split('/');
    const done: Promise<unknown> = name === 'assent' ? read(request).then(runCommand) : act(name, action as Action);
    void done.then(
      (answer) => response.end(JSON.stringify(answer)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      const ended = await Promise.allSettled(started.values());
      await Promise.all(ended.map(async (one) => one.status === 'fulfilled' && one.value.stop()));
    },
  };
}

async function read(request: http.IncomingMessage): Promise<Call> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as Call;
}

interface Call {
  args: string[];
  env: Record<string, string>;
}

async function runCommand({ args, env }: Call): Promise<Outcome> {
  const { runAssent } = (await import(COMMAND_LINE)) as { runAssent: typeof RunAssent };
  const said = { out: '', err: '' };
  const into = (name: 'out' | 'err') => ({
    write: (text: string, written?: (error?: Error | null) => void) => {
      said[name] += text;
      written?.();
    },
  });
  const code = await runAssent(args, env, { stdout: into('out'), stderr: into('err') });
  return { code, ...said };
}

/** The shared installation of this jest worker, which runs one spec at a time: nobody else uses it meanwhile. */
export const shared = (topology: 'standalone' | 'four-roles', action: Action): Promise<SharedInstallation> =>
  ask(`${topology}-${process.env['JEST_WORKER_ID'] ?? '1'}/${action}`);

export const runAtHost = (args: readonly string[], env: Record<string, string>): Promise<Outcome> =>
  ask('assent', { args, env });

/** Not by fetch, which gives up on an answer that takes minutes and keeps connections. */
function ask<T>(path: string, body: unknown = null): Promise<T> {
  const host = process.env['ASSENT_TEST_INSTALLATIONS'];
  if (!host) throw new Error('this spec needs an installation: run it with `npm test -- <file>`, which starts one');
  return new Promise((resolve, reject) => {
    const request = http.request(`${host}/${path}`, { method: 'POST', agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        if (response.statusCode === 200) resolve(JSON.parse(text) as T);
        else reject(new Error(text));
      });
    });
    request.on('error', reject).end(JSON.stringify(body));
  });
}
