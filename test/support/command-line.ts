import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { runAtHost, type Outcome } from './installation-host.js';

export type { Outcome } from './installation-host.js';

const PROGRAM = fileURLToPath(new URL('../../apps/cli/assent.mjs', import.meta.url));

/**
 * What the `assent` command does with these arguments and this environment, without a process of its own, which costs
 * a second of processor for each call. Paths have to be absolute.
 */
export const assent = (args: readonly string[], env: Record<string, string>): Promise<Outcome> => runAtHost(args, env);

/** What a command prints; rejects with all that it said where it fails. */
export async function commanded(args: readonly string[], env: Record<string, string>): Promise<string> {
  const { code, out, err } = await assent(args, env);
  if (code !== 0) throw new Error(`assent ${args.join(' ')} ended with ${code}:\n${out}${err}`);
  return out;
}

/** The same as an operator would call it: the program, in a process of its own. */
export function spawnAssent(args: readonly string[], env: Record<string, string>): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [PROGRAM, ...args], { env: { PATH: process.env['PATH'], ...env } });
    const outcome = { out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (outcome.out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (outcome.err += text));
    child.on('close', (code) => resolve({ code, ...outcome }));
  });
}
