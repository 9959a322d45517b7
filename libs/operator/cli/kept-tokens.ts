import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { failed } from './failure.js';

/** Operator tokens by the address of their service. */
type Tokens = Readonly<Record<string, string>>;

/** The file of the tokens that the user keeps, in the user's own configuration folder; null where there is none. */
export function keptTokensFile(env: NodeJS.ProcessEnv): string | null {
  const folder = env['XDG_CONFIG_HOME'] || env['APPDATA'] || (env['HOME'] && join(env['HOME'], '.config'));
  return folder ? join(folder, 'assent', 'tokens.json') : null;
}

/** The token that was kept for a service; undefined if there is none. */
export async function keptToken(env: NodeJS.ProcessEnv, url: string): Promise<string | undefined> {
  const file = keptTokensFile(env);
  return file === null ? undefined : (await read(file))[url];
}

/** Keeps the token for a service, or forgets it (null). Only the user can read the file. Returns its path. */
export async function keepToken(env: NodeJS.ProcessEnv, url: string, token: string | null): Promise<string> {
  const file = keptTokensFile(env);
  if (file === null)
    throw failed('no_home', 'This user has no configuration folder.', 'Set XDG_CONFIG_HOME or HOME to a folder.');
  const { [url]: _, ...others } = await read(file);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const beside = `${file}.${process.pid}`;
  await writeFile(beside, `${JSON.stringify({ ...others, ...(token !== null && { [url]: token }) }, null, 2)}\n`, {
    mode: 0o600,
  });
  // A file that was there before keeps its mode otherwise.
  await chmod(beside, 0o600);
  await rename(beside, file);
  return file;
}

async function read(file: string): Promise<Tokens> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}';
    throw failed('tokens_unreadable', `${file} cannot be read (${error.code}).`, 'Check its rights.');
  });
  try {
    return JSON.parse(text) as Tokens;
  } catch {
    throw failed('tokens_damaged', `${file} is no JSON.`, 'Remove it, and sign in again: assent sign-in.');
  }
}
