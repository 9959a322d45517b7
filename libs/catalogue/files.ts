import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, YAMLParseError } from 'yaml';
import type { PurposeFileDto } from './dto.js';
import type { TemplateFileDto } from './template-dto.js';

const MOST_FILES = 500;
const MOST_BYTES = 256 * 1024;
/** Open brackets; those in texts are counted too. */
const DEEPEST = 64;
/** Beside the files of the folder itself those of this one in it. */
const SUBFOLDER = 'purposes';

/** A folder of the operator's that cannot be read; the message is for them, as it stands. */
export class CatalogueFolderRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CatalogueFolderRefused';
  }
}

/** What a folder holds. What the files say is checked where they are applied. */
export interface CatalogueFolder {
  purposes: PurposeFileDto[];
  /** The file with `sections` at its top, or of the name `template.yaml`. */
  template?: TemplateFileDto;
  /** By the place of its content, `purposes[0]` or `template`, the file that it stands in. */
  files: Record<string, string>;
}

/** Reads the `.yaml` files of a folder and of the folder `purposes` in it, in the order of their names. */
export async function readCatalogueFolder(folder: string): Promise<CatalogueFolder> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw new CatalogueFolderRefused(`The folder ${folder} cannot be read (${error.code}).`);
  });
  const below = names.includes(SUBFOLDER) ? await readdir(join(folder, SUBFOLDER)).catch(() => []) : [];
  const found = [...names, ...below.map((name) => join(SUBFOLDER, name))]
    .filter((name) => /\.ya?ml$/.test(name))
    .sort();
  if (found.length === 0) throw new CatalogueFolderRefused(`The folder ${folder} holds no .yaml files.`);
  if (found.length > MOST_FILES)
    throw new CatalogueFolderRefused(`The folder ${folder} holds more than ${MOST_FILES} .yaml files.`);
  const contents = await Promise.all(
    found.map(async (name) => ({ name, content: await readYaml(join(folder, name)) })),
  );
  const [template, second] = contents.filter(isTemplate);
  if (second)
    throw new CatalogueFolderRefused(
      `The folder ${folder} holds two preference templates, ${template!.name} and ${second.name}.`,
    );
  const purposes = contents.filter((one) => one !== template);
  return {
    purposes: purposes.map(({ content }) => content as PurposeFileDto),
    ...(template && { template: template.content as TemplateFileDto }),
    files: {
      ...Object.fromEntries(purposes.map(({ name }, index) => [`purposes[${index}]`, name])),
      ...(template && { template: template.name }),
    },
  };
}

const isTemplate = ({ name, content }: { name: string; content: unknown }): boolean =>
  /^template\.ya?ml$/.test(name) ||
  (typeof content === 'object' && content !== null && Object.hasOwn(content, 'sections'));

async function readYaml(path: string): Promise<unknown> {
  const { size } = await stat(path).then((found) =>
    found.isFile() ? found : Promise.reject(new CatalogueFolderRefused(`${path} is not a file.`)),
  );
  if (size > MOST_BYTES) throw new CatalogueFolderRefused(`${path} is larger than ${MOST_BYTES} bytes.`);
  const content = await readFile(path, 'utf8').then((text) => parsed(path, text));
  // An alias can name what it stands in.
  if (!isTree(content)) throw new CatalogueFolderRefused(`${path} holds an alias that refers to itself.`);
  return content;
}

function parsed(path: string, text: string): unknown {
  if (isDeep(text)) throw new CatalogueFolderRefused(`${path} is nested too deeply.`);
  try {
    return parse(text, { maxAliasCount: 100, logLevel: 'error' });
  } catch (error) {
    // Too many aliases are a ReferenceError.
    if (error instanceof YAMLParseError || error instanceof ReferenceError)
      throw new CatalogueFolderRefused(`${path} is not YAML: ${error.message.split('\n', 1)[0]}`);
    throw error;
  }
}

/** The parser recurses, and thousands of levels end the process rather than throw. Ten are ever needed. */
function isDeep(text: string): boolean {
  let depth = 0;
  for (const char of text) {
    if (char === '[' || char === '{') depth++;
    else if (char === ']' || char === '}') depth--;
    if (depth > DEEPEST) return true;
  }
  return /^[ \t?:-]{200}/m.test(text);
}

function isTree(value: unknown): boolean {
  try {
    JSON.stringify(value);
    return true;
  } catch {
    return false;
  }
}
