// `npm run sdk`: makes the SDKs of other languages in dist/sdk, or in the folder that is named, of the OpenAPI document of
// what is built. One whose tools this machine lacks is left out, and said.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { makeCsharp } from './csharp/make.mjs';
import { makePython } from './python/make.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
const SDKS = [
  { name: 'Assent.Client', tool: 'dotnet', make: makeCsharp },
  { name: 'assent-client for Python', tool: 'python3', make: makePython },
];

/** What a running service answers under `/openapi.json`. Reads `dist`. */
export async function servedDocument() {
  await import('reflect-metadata');
  const { openApiDocument } = await import(join(ROOT, 'dist/libs/composition/openapi.js'));
  return JSON.parse(JSON.stringify(openApiDocument('https://consent.example')));
}

/**
 * Makes every SDK whose tools are there.
 * @param {{ to: string, version: string, atS: number }} options the folder of the packages; the time of what is in them,
 * in seconds since 1970
 * @returns {Promise<string[]>} what was left out, and the program that is missing for it
 */
export async function makeSdks({ to, version, atS }) {
  const document = await servedDocument();
  const folder = mkdtempSync(join(tmpdir(), 'assent-sdk-'));
  mkdirSync(to, { recursive: true });
  const missing = [];
  try {
    for (const { name, tool, make } of SDKS)
      if (runs(tool)) await make({ document, folder: join(folder, name), to, version, atS });
      else missing.push(`${name}: ${tool} is not installed`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return missing;
}

function runs(tool) {
  try {
    execFileSync(tool, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

if (process.argv[1] === import.meta.filename) {
  const to = resolve(process.argv[2] ?? join(ROOT, 'dist', 'sdk'));
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  rmSync(to, { recursive: true, force: true });
  const missing = await makeSdks({ to, version, atS: Math.floor(Date.now() / 1000) });
  for (const one of missing) console.error(`left out: ${one}`);
  console.log(to);
}
