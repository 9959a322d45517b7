import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseUrl } from '../../kernel/index.js';
import { keptToken, keptTokensFile } from './kept-tokens.js';
import { CommandFailed, EXIT, failed, WrongUsage, type Problem, type RefusedAnswer } from './failure.js';

const DEFAULT_URL = 'http://127.0.0.1:4100';
const PATIENCE_MS = 30_000;
/** The longest page that lists have. */
const PAGE = 200;

export interface ServerOptions {
  url?: string | undefined;
  token?: string | undefined;
  tokenFile?: string | undefined;
}

/** The secret key of a site and environment, for commands that do what its owner does. */
export interface KeyOptions {
  key?: string | undefined;
  keyFile?: string | undefined;
}

/** The credential of a call. */
interface Credential {
  is: 'operator token' | 'secret key';
  text: string;
  /** Where the text was found; a refusal names it. */
  from: string;
}

/** The content of `demo.json` in the data folder of a service on this machine. */
interface Local {
  url?: string;
  operatorToken?: string;
  secretKey?: string;
}

/** The service that the command calls. */
export interface Server {
  url: string;
  /** The credential that it is called with; undefined: none. */
  token: string | undefined;
  get: <T>(path: string) => Promise<T>;
  /** `tag`: of what the operator saw, sent as If-Match. A body of null is none. */
  post: <T>(path: string, body: unknown, tag?: string) => Promise<T>;
  put: <T>(path: string, body: unknown, tag?: string) => Promise<T>;
  patch: <T>(path: string, body: unknown) => Promise<T>;
  delete: <T>(path: string, tag?: string) => Promise<T>;
  /** Every item of a list, page by page. */
  all: <T>(path: string, filter?: Readonly<Record<string, string>>) => Promise<T[]>;
}

/**
 * The address of the service and the operator's token: from options, then the environment, then what `assent sign-in`
 * kept for that address, then `demo.json` of the data folder. The token of that file goes to the address of that file only, never to another server that an option names.
 */
export async function findServer(options: ServerOptions, env: NodeJS.ProcessEnv, needsToken: boolean): Promise<Server> {
  const { url, local, file } = await addressFor(options, env);
  const token =
    (await given('operator token', { text: options.token, file: options.tokenFile, option: '--token' }, env)) ??
    found('operator token', await keptToken(env, url), keptTokensFile(env) ?? '') ??
    found('operator token', local?.operatorToken, file);
  if (needsToken && !token)
    throw new WrongUsage(
      `No operator token for ${url}.`,
      `Keep one with assent sign-in, set ASSENT_OPERATOR_TOKEN, name a file with --token-file, or set ASSENT_DATA to the data folder of that service (looked in ${file}).`,
    );
  return serverAt(url, token);
}

/** The same with the secret key of a site and environment. */
export async function findSiteServer(options: ServerOptions & KeyOptions, env: NodeJS.ProcessEnv): Promise<Server> {
  const { url, local, file } = await addressFor(options, env);
  const key =
    (await given('secret key', { text: options.key, file: options.keyFile, option: '--key' }, env)) ??
    found('secret key', local?.secretKey, file);
  if (!key)
    throw new WrongUsage(
      `No secret key for ${url}.`,
      `Set ASSENT_SECRET_KEY, name a file with --key-file, or set ASSENT_DATA to the data folder of that service (looked in ${file}).`,
    );
  return serverAt(url, key);
}

/** `local`: of a service on this machine, where it has this address. */
async function addressFor(
  options: ServerOptions,
  env: NodeJS.ProcessEnv,
): Promise<{ url: string; local: Local | null; file: string }> {
  const file = join(env['ASSENT_DATA'] || './data', 'demo.json');
  const local = await readLocal(file);
  const url = addressOf(options.url || env['ASSENT_URL'] || local?.url || DEFAULT_URL);
  return { url, local: local?.url && addressOf(local.url) === url ? local : null, file };
}

const found = (is: Credential['is'], text: string | undefined, from: string): Credential | undefined =>
  text ? { is, text, from } : undefined;

function serverAt(url: string, credential: Credential | undefined): Server {
  const get = <T>(path: string): Promise<T> => call(url, path, { method: 'GET' }, credential);
  const sending =
    (method: 'POST' | 'PUT' | 'PATCH') =>
    <T>(path: string, body: unknown, tag?: string): Promise<T> =>
      call(url, path, { method, body: body === null ? null : JSON.stringify(body), ...ifMatch(tag) }, credential);
  return {
    url,
    token: credential?.text,
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
    post: sending('POST'),
    put: sending('PUT'),
    patch: sending('PATCH'),
    delete: (path, tag) => call(url, path, { method: 'DELETE', ...ifMatch(tag) }, credential),
  };
}

/** The tag of what the operator saw. */
const ifMatch = (tag: string | undefined): { headers?: Record<string, string> } =>
  tag === undefined ? {} : { headers: { 'If-Match': tag } };

interface Given {
  text: string | undefined;
  file: string | undefined;
  /** That `text` came by. */
  option: string;
}

/** The values that the operator gave: options first, then the environment. */
async function given(
  is: Credential['is'],
  { text, file, option }: Given,
  env: NodeJS.ProcessEnv,
): Promise<Credential | undefined> {
  if (file !== undefined) return { is, text: await credentialIn(is, file), from: file };
  if (text) return { is, text, from: option };
  const setting = VARIABLES[is];
  if (env[setting]) return { is, text: env[setting], from: setting };
  const inFile = env[`${setting}_FILE`];
  return inFile ? { is, text: await credentialIn(is, inFile), from: inFile } : undefined;
}

const VARIABLES = { 'operator token': 'ASSENT_OPERATOR_TOKEN', 'secret key': 'ASSENT_SECRET_KEY' } as const;

async function credentialIn(is: Credential['is'], file: string): Promise<string> {
  const text = await readFile(file === '-' ? '/dev/stdin' : file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new WrongUsage(`The file of the ${is}, ${file}, cannot be read (${error.code}).`);
  });
  if (text.trim() === '') throw new WrongUsage(`The file of the ${is}, ${file}, is empty.`);
  return text.trim();
}

async function readLocal(file: string): Promise<Local | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Local;
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

async function call<T>(
  url: string,
  path: string,
  init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> },
  credential: Credential | undefined,
): Promise<T> {
  const headers = {
    ...init.headers,
    Accept: 'application/json',
    ...(init.body ? { 'Content-Type': 'application/json' } : {}),
    ...(credential && { Authorization: `Bearer ${credential.text}` }),
  };
  // A redirect would carry the token to a server that the operator did not name.
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
  if (isProblem(body))
    throw new CommandFailed(
      answer.status === 401 && credential ? ofCredential(body, url, credential) : body,
      EXIT.failed,
      answerOf(answer),
    );
  const { problem } = failed(
    'not_assent',
    `What answers at ${url} is not Assent (status ${answer.status}).`,
    'Check --url or ASSENT_URL.',
  );
  throw new CommandFailed(problem, EXIT.failed, answerOf(answer));
}

/** Adds to a refused token where it was found and what kind is needed: the service cannot know that. */
const ofCredential = (problem: Problem, url: string, { is, from }: Credential): Problem => ({
  ...problem,
  message: `${url} does not take the ${is} of ${from}: ${problem.message}`,
  hint: HINTS[is],
});

const HINTS = {
  'operator token':
    'Take one that is live: assent operator-tokens list shows them to another operator, who can issue one with assent operator-tokens issue. With the master key at hand, assent operator-tokens first shows the first one.',
  'secret key':
    'Take one that is live: assent keys list --type sk shows them, and assent keys issue --type sk issues another.',
} as const;

function answerOf({ status, headers }: Response): RefusedAnswer {
  const seconds = Number(headers.get('retry-after') ?? NaN);
  return { status, retryAfterSeconds: Number.isFinite(seconds) && seconds >= 0 ? seconds : null };
}

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
