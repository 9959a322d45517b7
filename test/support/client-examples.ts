import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { keep } from './keeper.mjs';
import { until } from './timing.js';
import type { World } from './world.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PACKAGES = join(ROOT, 'node_modules');
const run = promisify(execFile);
/** What stands in examples and in the README for an installation and its keys, put in place of that. */
export const inPlace = (text: string, { url, demo }: World): string =>
  text
    .replaceAll('https://consent.example', url)
    .replaceAll('pk_live_…', demo.publicKey)
    .replaceAll('sk_live_…', demo.secretKey)
    .replaceAll("site: 'shop'", `site: '${demo.site}'`);

/** A copy of the package’s examples in the project that has it installed, with the keys of a world. */
export function copyExamples(project: string, world: World): string {
  const folder = join(project, 'examples');
  cpSync(join(project, 'node_modules/@assent/client/examples'), folder, { recursive: true });
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = join(folder, name);
    if (statSync(file).isFile()) writeFileSync(file, inPlace(readFileSync(file, 'utf8'), world));
  }
  symlinkSync(join(PACKAGES, 'express'), join(project, 'node_modules/express'));
  return folder;
}

/** One script of an example that is made of modules. */
export async function bundled(file: string): Promise<string> {
  const made = `${file}.bundle.js`;
  await run(process.execPath, [join(ROOT, 'test/support/bundle-page.mjs'), file, made, PACKAGES]);
  return readFileSync(made, 'utf8');
}

const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript' };

export interface Shop {
  /** Its origin, without a slash at its end. */
  origin: string;
  /** Puts a page in the place of the one before, and scripts beside it, by their paths. */
  shows(html: string, scripts?: Readonly<Record<string, string>>): void;
  stop(): Promise<void>;
}

/**
 * A web server of its own, whose pages have the package below `/assent`. The site of the world allows its origin: pages
 * speak to the service across origins, as those of customers do.
 */
export async function startShop(project: string, world: World): Promise<Shop> {
  let texts: Readonly<Record<string, string>> = {};
  const server = createServer(({ url }, response) => {
    const path = new URL(url!, 'http://shop').pathname;
    const ofPackage = join(project, 'node_modules/@assent/client', normalize(path.replace(/^\/assent/, '')));
    const isOfPackage = path.startsWith('/assent/') && existsSync(ofPackage);
    const text = isOfPackage ? readFileSync(ofPackage, 'utf8') : texts[path];
    response.writeHead(text === undefined ? 404 : 200, {
      'Content-Type': TYPES[extname(path) || '.html'] ?? 'text/plain',
    });
    response.end(text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = async (): Promise<void> => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  try {
    await allowOrigin(world, origin);
  } catch (error) {
    await stop();
    throw error;
  }
  return { origin, shows: (html, scripts = {}) => void (texts = { '/': html, ...scripts }), stop };
}

/** The site of the world allows one more origin. */
export async function allowOrigin(world: World, origin: string): Promise<void> {
  const { site, allowedOrigins } = world.demo;
  allowedOrigins.push(origin);
  const answer = await world.request('POST', '/admin/v1/sites', {
    key: 'operator',
    body: { site, name: 'Demo Shop', allowedOrigins: { test: allowedOrigins, live: [] } },
  });
  if (answer.status >= 300) throw new Error(answer.text);
  // The change is recorded; beside a load a process may apply it after the answer.
  const preflight = { Origin: origin, 'Access-Control-Request-Method': 'GET' };
  await until(
    async () =>
      (await fetch(`${world.url}/v1/banner`, { method: 'OPTIONS', headers: preflight })).headers.get(
        'access-control-allow-origin',
      ) === origin,
  );
}

export interface RunningExample {
  port: number;
  /** Everything that it printed. */
  said(): string;
  /** Resolves when it has printed that. */
  hasSaid(what: RegExp): Promise<void>;
  stop(): Promise<void>;
}

/** Starts an example that is a server, on a free port; resolves when it listens. It does not outlive the tests. */
export async function startExample(file: string, env: Record<string, string>): Promise<RunningExample> {
  const keeper = keep(mkdtempSync(join(tmpdir(), 'assent-example-')));
  const child = spawn(process.execPath, [file], {
    env: { PATH: process.env['PATH'], PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  keeper.watch(child.pid ?? null);
  let said = '';
  let isOver = false;
  const waiting = new Set<() => void>();
  const look = (): void => [...waiting].forEach((check) => check());
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      look();
    });
  const ended = new Promise<void>((resolve) =>
    child.once('close', () => {
      isOver = true;
      look();
      resolve();
    }),
  );
  const hasSaid = (what: RegExp): Promise<void> =>
    new Promise((resolve, reject) => {
      const check = (): void => {
        if (!what.test(said) && !isOver) return;
        waiting.delete(check);
        if (what.test(said)) resolve();
        else reject(new Error(`${file} ended, and said: ${said}`));
      };
      waiting.add(check);
      check();
    });
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
    keeper.watch(null);
    await keeper.clean();
  };
  try {
    await hasSaid(/listening on \d+/);
  } catch (error) {
    await stop();
    throw error;
  }
  return { port: Number(/listening on (\d+)/.exec(said)![1]), said: () => said, hasSaid, stop };
}

/** The blocks of code of a Markdown file, in their order, under the heading that they stand below. */
export function codeBlocks(markdown: string): { heading: string; language: string; code: string }[] {
  const blocks: { heading: string; language: string; code: string }[] = [];
  let heading = '';
  for (const [, title, language, code] of markdown.matchAll(/^## (.+)$|^```(\w+)\n([\s\S]*?)^```$/gm)) {
    if (title !== undefined) heading = title;
    else blocks.push({ heading, language: language!, code: code! });
  }
  return blocks;
}
