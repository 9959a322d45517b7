import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { AssentClient, AssentError } from '../../libs/client/index.js';
import {
  constructWebhookEvent,
  signIdentityToken,
  verifyWebhookSignature,
  WebhookSignatureError,
} from '../../libs/client/server/index.js';
import { verifyReceipt } from '../../libs/client/receipts/index.js';
import { programAt } from './debian.mjs';

/* eslint-disable @typescript-eslint/no-explicit-any -- what other languages say */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PROGRAMS = join(ROOT, 'test', 'sdk');
/** The one of the system, whose packages come from where it does. */
const PYTHON = '/usr/bin/python3';

export interface SdkFailure {
  code: string;
  status?: number;
  hint: string;
  requestId?: string | null;
  paths?: string[];
}

/** The client of one language, behind calls that all of them know. */
export interface Driver {
  /** `open` names service and key for the calls after it. Resolves to the answer, or to the failure under `failed`. */
  call(name: string, asked?: object): Promise<any>;
  stop(): Promise<void>;
}

export interface Language {
  name: string;
  /** Why it cannot be tried on this machine; null where it can. */
  missing: string | null;
  /** The page of the docs whose samples the call `guide` runs, in a folder with `data/demo.json`; null: another spec does. */
  guide: Guide | null;
  /** Makes the SDK in an empty folder, as a release does, and starts a program that uses it, in the folder `user` there. */
  start(folder: string): Promise<Driver>;
}

export interface Guide {
  /** The samples of the page, one after the other. */
  code: string;
  /** What they print, as the comments behind say. */
  prints: string[];
}

function guideOf(page: string, fence: string, print: RegExp): Guide {
  const text = readFileSync(join(ROOT, 'docs/guides', page), 'utf8');
  const code = [...text.matchAll(new RegExp(`^\`\`\`${fence}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))]
    .map(([, block]) => block)
    .join('\n');
  return { code, prints: [...code.matchAll(print)].map(([, printed]) => printed!) };
}
const CSHARP_GUIDE = guideOf('csharp.md', 'csharp', /Console\.WriteLine\(.*\); \/\/ (.+)$/gm);
const PYTHON_GUIDE = guideOf('python.md', 'python', /^ *print\(.*\) {2}# (.+)$/gm);

export const LANGUAGES: readonly Language[] = [
  { name: 'TypeScript', missing: null, guide: null, start: () => Promise.resolve(typescript()) },
  { name: 'C#', missing: programAt('dotnet') ? null : 'dotnet is not in PATH', guide: CSHARP_GUIDE, start: csharp },
  { name: 'Python', missing: pythonMissing(), guide: PYTHON_GUIDE, start: python },
];

function pythonMissing(): string | null {
  // Debian brings `cryptography` as python3-cryptography.
  const check = 'import sys, cryptography; sys.exit(sys.version_info < (3, 11))';
  return spawnSync(PYTHON, ['-c', check]).status === 0 ? null : `${PYTHON} is not 3.11 with cryptography`;
}

/** A program that answers each line of its input, a call, by a line. It ends with its input. */
function program(command: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = process.env): Driver {
  const child = spawn(command, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text));
  const waiting: { resolve: (line: string) => void; reject: (error: Error) => void }[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => waiting.shift()?.resolve(line));
  void ended.then(() => waiting.forEach(({ reject }) => reject(new Error(`${command} ended: ${complaint}`))));
  return {
    call: async (name, asked = {}) => {
      const line = await new Promise<string>((resolve, reject) => {
        waiting.push({ resolve, reject });
        child.stdin.write(`${JSON.stringify({ call: name, with: asked })}\n`);
      });
      const { answer, error } = JSON.parse(line) as { answer?: unknown; error?: SdkFailure };
      return error ? { failed: error } : answer;
    },
    stop: () => {
      child.stdin.end();
      return ended;
    },
  };
}

async function servedDocument(): Promise<object> {
  const made = (await import(join(ROOT, 'libs/sdk/make.mjs'))) as { servedDocument: () => Promise<object> };
  return made.servedDocument();
}

async function csharp(folder: string): Promise<Driver> {
  const { makeCsharp, dotnet } = (await import(join(ROOT, 'libs/sdk/csharp/make.mjs'))) as {
    makeCsharp: (options: object) => Promise<string>;
    dotnet: (folder: string, ...args: string[]) => Promise<string>;
  };
  const [made, user] = [join(folder, 'made'), join(folder, 'user')];
  const version = '0.0.1';
  await makeCsharp({ document: await servedDocument(), folder: join(folder, 'source'), to: made, version, atS: 1e9 });
  mkdirSync(user);
  cpSync(join(PROGRAMS, 'csharp'), user, { recursive: true });
  // The package comes from where it was made, into a folder of its own: the user's holds one version of each name for ever.
  writeFileSync(
    join(user, 'nuget.config'),
    `<configuration>
  <config><add key="globalPackagesFolder" value="${join(folder, 'packages')}" /></config>
  <packageSources><add key="made" value="${made}" /></packageSources>
  <fallbackPackageFolders><add key="user" value="${join(homedir(), '.nuget', 'packages')}" /></fallbackPackageFolders>
</configuration>
`,
  );
  const isUsing = (line: string): boolean => /^using [\w.]+;$/.test(line);
  const lines = CSHARP_GUIDE.code.split('\n');
  writeFileSync(
    join(user, 'Guide.cs'),
    [
      ...lines.filter(isUsing),
      'static class Guide { public static async Task Run() {',
      ...lines.filter((line) => !isUsing(line)),
      '} }',
    ].join('\n'),
  );
  await dotnet(user, 'build', '--configuration', 'Release', '--output', 'out', `-p:AssentVersion=${version}`);
  return program('dotnet', [join(user, 'out', 'Driver.dll')], user);
}

async function python(folder: string): Promise<Driver> {
  const { makePython } = (await import(join(ROOT, 'libs/sdk/python/make.mjs'))) as {
    makePython: (options: object) => string;
  };
  const user = join(folder, 'user');
  const place = { folder: join(folder, 'source'), to: join(folder, 'made') };
  const wheel = makePython({ document: await servedDocument(), ...place, version: '0.0.1', atS: 1e9 });
  mkdirSync(user);
  writeFileSync(join(user, 'guide.py'), PYTHON_GUIDE.code);
  const env = { ...process.env, PYTHONPATH: wheel, PYTHONDONTWRITEBYTECODE: '1' };
  return program(PYTHON, [join(PROGRAMS, 'python', 'driver.py')], user, env);
}

/** The client of this repository, in this process: what it does is what the others have to do. */
function typescript(): Driver {
  let client: AssentClient;
  const calls: Record<string, (asked: any) => unknown> = {
    open: (options) => void (client = new AssentClient(options)),
    recordConsent: ({ idempotencyKey, ...decision }) => client.recordConsent(decision, { idempotencyKey }),
    recordConsentBatch: ({ records }) => client.recordConsentBatch(records, { mode: 'PARTIAL' }),
    getConsentState: ({ subject, purpose }) => client.getConsentState(subject, { purpose }),
    getConsentHistory: ({ subject, ...page }) => client.getConsentHistory(subject, page),
    setPreferences: (preferences) => client.recordPreferences(preferences),
    getPreferences: ({ subject }) => client.getPreferences(subject),
    createSubject: (identifier) => client.createSubject({ identifiers: [identifier] }),
    getReceipt: ({ id }) => client.getReceipt(id),
    signIdentityToken: (asked) => signIdentityToken(asked),
    verifyReceipt: async ({ receipt, keys }) =>
      (await (keys ? verifyReceipt(receipt, { keys }) : client.verifyReceipt(receipt))).verdict,
    verifyWebhook: ({ secrets, ...webhook }) => {
      const verified = verifyWebhookSignature({ ...webhook, secret: secrets });
      try {
        return { verified, outcome: 'taken', id: constructWebhookEvent({ ...webhook, secret: secrets }).id };
      } catch (error) {
        if (error instanceof WebhookSignatureError) return { verified, outcome: error.reason };
        throw error;
      }
    },
  };
  return {
    call: async (name, asked = {}) => {
      try {
        return await calls[name]!(asked);
      } catch (error) {
        if (error instanceof AssentError) {
          const { code, status, hint, requestId, issues } = error;
          return { failed: { code, status, hint, requestId, paths: issues.map(({ path }) => path) } };
        }
        if (error instanceof TypeError) return { failed: { code: 'argument', hint: error.message } };
        throw error;
      }
    },
    stop: () => Promise.resolve(),
  };
}
