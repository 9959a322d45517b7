import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The verifier as the release ships it. */
export const VERIFIER = fileURLToPath(new URL('../../apps/cli/bundle/verify.mjs', import.meta.url));

/** The files of a zip archive that compresses none of them, in their order. */
export const unpacked = (archive: string): Map<string, Buffer> => filesOf(readFileSync(archive));

/** The same of an archive at hand. */
export function filesOf(bytes: Buffer): Map<string, Buffer> {
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  const files = new Map<string, Buffer>();
  for (let at = bytes.readUInt32LE(end + 16), n = bytes.readUInt16LE(end + 10); n > 0; n--) {
    const [name, extra, comment] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ];
    if (bytes.readUInt16LE(at + 10) !== 0) throw new Error('it is compressed');
    const header = bytes.readUInt32LE(at + 42);
    const from = header + 30 + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28);
    files.set(
      bytes.toString('utf8', at + 46, at + 46 + name),
      bytes.subarray(from, from + bytes.readUInt32LE(at + 24)),
    );
    at += 46 + name + extra + comment;
  }
  return files;
}

/** Puts files where an auditor would unpack them. */
export function unpackInto(folder: string, files: ReadonlyMap<string, Buffer>): void {
  for (const [name, content] of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}

export const jsonLines = <T>(content: Buffer): T[] =>
  content
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);

export interface Verified {
  code: number | null;
  out: string;
  err: string;
}

/** Runs the verifier with nothing but Node.js: no settings, no package, no network that it could ask. */
export function verifyBundle(args: readonly string[], program = VERIFIER): Promise<Verified> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [program, ...args], { env: {}, cwd: '/' });
    const told = { out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (told.out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (told.err += text));
    child.on('close', (code) => resolve({ code, ...told }));
  });
}

export interface Verdict {
  verdict: 'GENUINE' | 'NOT_GENUINE';
  signedBy: string | null;
  keysCompared: boolean;
  checks: { name: string; ok: boolean }[];
  problems: { member: string; detail: string }[];
  warnings: string[];
  absent: { name: string; because: string }[];
}

export async function verdictOn(path: string, ...more: string[]): Promise<Verdict> {
  const { out, err } = await verifyBundle([path, '--json', ...more]);
  try {
    return JSON.parse(out) as Verdict;
  } catch {
    throw new Error(`no verdict: ${out}${err}`);
  }
}
