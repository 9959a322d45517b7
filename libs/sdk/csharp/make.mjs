// Makes the package Assent.Client of the OpenAPI document and of the sources beside this file.
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sdkDocument } from '../document.mjs';

const SOURCE = import.meta.dirname;
const LISTS = 'System.Collections.Generic';
/** One file without a dependency: types that say what may be null, and a method for each operation. */
const NSWAG = {
  namespace: 'Assent',
  classname: 'AssentClient',
  JsonLibrary: 'SystemTextJson',
  OperationGenerationMode: 'SingleClientFromOperationId',
  GenerateClientInterfaces: true,
  GenerateOptionalParameters: true,
  GenerateNullableReferenceTypes: true,
  GenerateOptionalPropertiesAsNullable: true,
  // Without it a request that lacks its decision would say the first of the set: GRANTED.
  UseRequiredKeyword: true,
  GenerateDataAnnotations: false,
  GenerateExceptionClasses: false,
  ExceptionClass: 'AssentException',
  UseBaseUrl: false,
  DisposeHttpClient: false,
  ArrayType: `${LISTS}.IReadOnlyList`,
  ArrayInstanceType: `${LISTS}.List`,
  DictionaryType: `${LISTS}.IReadOnlyDictionary`,
  DictionaryInstanceType: `${LISTS}.Dictionary`,
};

/** For one step, on a busy machine. */
const STEP_MS_MAX = 600_000;

/** Runs `dotnet` to its end, and leaves no server of it behind. Rejects with what it printed. */
export async function dotnet(folder, ...args) {
  const env = {
    ...process.env,
    DOTNET_CLI_TELEMETRY_OPTOUT: '1',
    DOTNET_NOLOGO: '1',
    DOTNET_SKIP_FIRST_TIME_EXPERIENCE: '1',
    MSBUILDDISABLENODEREUSE: '1',
    UseSharedCompilation: 'false',
  };
  try {
    return (await promisify(execFile)('dotnet', args, { cwd: folder, env, timeout: STEP_MS_MAX, maxBuffer: 2 ** 26 }))
      .stdout;
  } catch (error) {
    throw new Error(`dotnet ${args.join(' ')}\n${error.stdout}${error.stderr}`, { cause: error });
  }
}

/**
 * Writes the sources into `folder`, generates the rest, and packs. Needs the SDK of .NET 10, and the registry for the
 * generator. The same document and version make the same bytes.
 * @param {object} options
 * @param {object} options.document what `/openapi.json` answers
 * @param {string} options.folder an empty one
 * @param {string} options.to where the package goes
 * @param {string} options.version
 * @param {number} options.atS time of the files in the package, in seconds since 1970
 * @returns {Promise<string>} path of the `.nupkg`
 */
export async function makeCsharp({ document, folder, to, version, atS }) {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(SOURCE).filter((one) => !one.endsWith('.mjs')))
    cpSync(join(SOURCE, name), join(folder, name));
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(sdkDocument(document)));
  await dotnet(folder, 'tool', 'restore');
  const options = Object.entries(NSWAG).map(([name, value]) => `/${name}:${value}`);
  await dotnet(folder, 'nswag', 'openapi2csclient', '/input:openapi.json', '/output:Generated.cs', ...options);
  await dotnet(
    folder,
    'pack',
    '--configuration',
    'Release',
    '--output',
    to,
    `-p:Version=${version}`,
    '--verbosity',
    'quiet',
  );
  const path = join(to, `Assent.Client.${version}.nupkg`);
  writeFileSync(path, dated(readFileSync(path), new Date(atS * 1000)));
  return path;
}

/** A zip archive whose entries are all of one time (APPNOTE 4.3.12 and 4.4.6). `dotnet pack` writes the time of the day. */
function dated(zip, at) {
  const date = (Math.max(at.getUTCFullYear() - 1980, 0) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate();
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1);
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  let entry = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    for (const place of [entry + 12, zip.readUInt32LE(entry + 42) + 10]) {
      zip.writeUInt16LE(time, place);
      zip.writeUInt16LE(date, place + 2);
    }
    entry += 46 + zip.readUInt16LE(entry + 28) + zip.readUInt16LE(entry + 30) + zip.readUInt16LE(entry + 32);
  }
  return zip;
}
