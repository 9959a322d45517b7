import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, YAMLParseError } from 'yaml';
import type { PurposeFileDto } from './dto.js';

const MOST_FILES = 500;
const MOST_BYTES = 256 * 1024;

/** A folder of the operator's that cannot be read; the message is for them, as it stands. */
export class CatalogueFolderRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CatalogueFolderRefused';
  }
}

/** Reads every `.yaml` file of a folder, in the order of their names. What they say is checked where it is applied. */
export async function readCatalogueFolder(folder: string): Promise<{ files: string[]; purposes: PurposeFileDto[] }> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw new CatalogueFolderRefused(`The folder ${folder} cannot be read (${error.code}).`);
  });
  const files = names.filter((name) => /\.ya?ml$/.test(name)).sort();
  if (files.length === 0) throw new CatalogueFolderRefused(`The folder ${folder} holds no .yaml files.`);
  if (files.length > MOST_FILES) throw new CatalogueFolderRefused(`The folder ${folder} holds more than ${MOST_FILES} .yaml files.`);
  const purposes = await Promise.all(files.map((name) => readPurpose(join(folder, name))));
  return { files, purposes };
}

async function readPurpose(path: string): Promise<PurposeFileDto> {
  const { size } = await stat(path).then((found) => (found.isFile() ? found : Promise.reject(new CatalogueFolderRefused(`${path} is not a file.`))));
  if (size > MOST_BYTES) throw new CatalogueFolderRefused(`${path} is larger than ${MOST_BYTES} bytes.`);
  try {
    return parse(await readFile(path, 'utf8'), { maxAliasCount: 100 }) as PurposeFileDto;
  } catch (error) {
    if (error instanceof YAMLParseError) throw new CatalogueFolderRefused(`${path} is not YAML: ${error.message.split('\n', 1)[0]}`);
    throw error;
  }
}
