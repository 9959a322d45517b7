import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseUrl } from '../../kernel/index.js';
import { CommandFailed, failed, WrongUsage, type Problem } from './failure.js';

const DEFAULT_URL = 'http://127.0.0.1:4100';
const PATIENCE_MS = 30_000;
/** The longest page that lists have. */
const PAGE = 200;

export interface ServerOptions {
  url?: string | undefined;
  token?: string | undefined;
  tokenFile?: string | undefined;
}

interface Token {
  text: string;
  /** Where it was found, to be told where it is wrong. */
  from: string;
}

/** The service that the command talks to. */
export interface Server {
  url: string;
  get: <T>(path: string) => Promise<T>;
  post: <T>(path: string, body: unknown) => Promise<T>;
  /** Every item of a list, page by page. */
  all: <T>(path: string, filter?: Readonly<Record<string, string>>) => Promise<T[]>;
}

/**
 * Where the service is and who is asking: options, then environment, then `demo.json` of the data folder. The token of
 * that file goes to the address of that file only: naming another server must not hand it over.
 */
export async function findServer(options: ServerOptions, env: NodeJS.ProcessEnv, needsToken: boolean): Promise<Server> {
  const file = join(env['ASSENT_DATA'] || './data', 'demo.json');
  const local = await readLocal(file);
  const url = addressOf(options.url || env['ASSENT_URL'] || local?.url || DEFAULT_URL);
  const token =
    (await givenToken(options, env)) ??
    (local?.operatorToken && local.url && addressOf(local.url) === url
      ? { text: local.operatorToken, from: file }
      : undefined);
  if (needsToken && !token)
    throw new WrongUsage(
      `No operator token for ${url}.`,
      `Set ASSENT_OPERATOR_TOKEN, name a file with --token-file, or set ASSENT_DATA to the data folder of that service (looked in ${file}).`,
    );
  const get = <T>(path: string): Promise<T> => call(url, path, { method: 'GET' }, token);
  return {
    url,
    get,
    all: async <T>(path: string, filter: Readonly<Record<string, string>> = {}) => {
      const items: T[] = [];
      const query = new URLSearchParams({ ...filter, limit: String(PAGE) });
      for (let more = true; more;) {
        const page = await get<{ data: T[]; nextCursor: string | null }>(`${path}?${query}`);
        items.push(...page.data);
        if (page.nextCursor === null) more = false;
        else query.set('cursor', page.nextCursor);
      }
      return items;
    },
    post: (path, body) => call(url, path, { method: 'POST', body: JSON.stringify(body) }, token),
  };
}

/** What was named on purpose: options first, then the environment. */
async function givenToken({ tokenFile, token }: ServerOptions, env: NodeJS.ProcessEnv): Promise<Token | undefined> {
  if (tokenFile !== undefined) return { text: await tokenIn(tokenFile), from: tokenFile };
  if (token) return { text: token, from: '--token' };
  const { ASSENT_OPERATOR_TOKEN: text, ASSENT_OPERATOR_TOKEN_FILE: file } = env;
  if (text) return { text, from: 'ASSENT_OPERATOR_TOKEN' };
  return file ? { text: await tokenIn(file), from: file } : undefined;
}

async function tokenIn(file: string): Promise<string> {
  const text = await readFile(file === '-' ? '/dev/stdin' : file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new WrongUsage(`The file of the operator token, ${file}, cannot be read (${error.code}).`);
  });
  if (text.trim() === '') throw new WrongUsage(`The file of the operator token, ${file}, is empty.`);
  return text.trim();
}

async function readLocal(file: string): Promise<{ url?: string; operatorToken?: string } | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as { url?: string; operatorToken?: string };
  } catch {
    return null;
  }
}

function addressOf(text: string): string {
  const url = parseUrl(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash)
    throw new WrongUsage('The address of the service must look like https://consent.example.com.');
  return url.href.replace(/\/+$/, '');
}

async function call<T>(url: string, path: string, init: RequestInit, token: Token | undefined): Promise<T> {
  const headers = {
    Accept: 'application/json',
    ...(init.body ? { 'Content-Type': 'application/json' } : {}),
    ...(token && { Authorization: `Bearer ${token.text}` }),
  };
  // A redirect would carry the token somewhere that nobody named.
  const answer = await fetch(`${url}${path}`, {
    ...init,
    headers,
    redirect: 'manual',
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).catch((error: unknown) => {
    throw unreachable(url, error);
  });
  const text = await answer.text().catch((error: unknown) => {
    throw unreachable(url, error);
  });
  const body = parsed(text);
  if (answer.ok && body !== undefined) return body as T;
  if (isProblem(body)) throw new CommandFailed(answer.status === 401 && token ? ofToken(body, url, token) : body);
  throw failed(
    'not_assent',
    `What answers at ${url} is not Assent (status ${answer.status}).`,
    'Check --url or ASSENT_URL.',
  );
}

/** The service cannot know where the token was found, and speaks of API keys, which are another thing. */
const ofToken = (problem: Problem, url: string, { from }: Token): Problem => ({
  ...problem,
  message: `${url} does not take the operator token of ${from}: ${problem.message}`,
  hint: 'Take one that is live: assent operator-tokens list shows them to another operator, who can issue one with assent operator-tokens issue. With the master key at hand, assent operator-tokens first shows the first one.',
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const isProblem = (body: unknown): body is Problem => {
  const { code, message, hint, issues } = (body ?? {}) as Record<string, unknown>;
  return typeof code === 'string' && typeof message === 'string' && typeof hint === 'string' && Array.isArray(issues);
};

function unreachable(url: string, error: unknown): CommandFailed {
  const { name, cause } = error as Error;
  const reason =
    name === 'TimeoutError'
      ? `no answer within ${PATIENCE_MS / 1000} seconds`
      : ((cause as NodeJS.ErrnoException | undefined)?.code ?? 'connection lost');
  return failed(
    'unreachable',
    `Assent cannot be reached at ${url} (${reason}).`,
    'Start it with npm start, or name another address with --url or ASSENT_URL.',
  );
}
