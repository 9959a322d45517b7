import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApplyCatalogueDto, CatalogueFilesDto, PurposeFileDto } from './dto.js';
import type { DocumentFilesDto } from './files/document-files.js';
import type { DocumentName } from './documents.js';
import { parted, type FolderParts } from './files/folder-parts.js';
import { readYamlFile, type FileProblem, type YamlFile } from './files/yaml-file.js';

export { DOCUMENTS, documentOf } from './documents.js';
export { fileText } from './files/file-texts.js';
export type { FileProblem } from './files/yaml-file.js';

const MOST_FILES = 510;
/** A folder is read together with its subfolder of this name. */
export const SUBFOLDER = 'purposes';

/** The operator's folder cannot be used. Show the message to the operator as it is. */
export class CatalogueFolderRefused extends Error {
  constructor(
    message: string,
    /** Problems in its files; empty if the folder itself is the problem. */
    readonly problems: readonly FileProblem[] = [],
  ) {
    super(message);
    this.name = 'CatalogueFolderRefused';
  }
}

/** Content of a folder. The content is checked where it is applied. */
export interface CatalogueFolder extends DocumentFilesDto {
  purposes: PurposeFileDto[];
  /** File names by place of the content, such as `purposes[0]` or `template`. */
  files: Record<string, string>;
}

/** A folder with readable files and all problems that can be found without asking the service. */
export interface ExaminedFolder extends CatalogueFolder {
  /** The file and line of a place in the whole: `purposes[3].controller.name` is in the file of `purposes[3]`. */
  placeOf: (path: string) => { file: string; line: number | null; path: string } | null;
}

/** Reads the `.yaml` files of a folder and of the folder `purposes` in it, in the order of their names. */
export async function readCatalogueFolder(folder: string): Promise<CatalogueFolder> {
  const files = await yamlFiles(folder);
  const parts = parted(files);
  const unusable = [...files.flatMap(({ problem }) => problem ?? []), ...parts.second];
  if (unusable.length > 0) throw refused(folder, unusable);
  return whole(parts);
}

/**
 * The same, checked file by file, with all problems of all files at once. Checks that need the service, such as a purpose
 * that another folder published, are made where the folder is applied.
 */
export async function examineCatalogueFolder(folder: string): Promise<ExaminedFolder> {
  const files = await yamlFiles(folder);
  const parts = parted(files);
  const { problemsOf } = await import('./files/file-problems.js');
  const problems = [...files.flatMap(({ problem }) => problem ?? []), ...parts.second, ...problemsOf(parts)].sort(
    (a, b) => (a.file === b.file ? (a.line ?? 0) - (b.line ?? 0) : a.file < b.file ? -1 : 1),
  );
  if (problems.length > 0) throw refused(folder, problems);
  const placeOf = (path: string): ReturnType<ExaminedFolder['placeOf']> => {
    const [, name = '', index, rest = ''] = /^(\w+)(?:\[(\d+)\])?\.?(.*)$/.exec(path) ?? [];
    const isPurpose = name === 'purposes' && index !== undefined;
    const file = isPurpose ? parts.purposes[Number(index)] : parts.documents.get(name as DocumentName);
    return file ? { file: file.name, line: file.lineOf(rest), path: rest } : null;
  };
  return { ...whole(parts), placeOf };
}

/** The files in the form of an export after publication, so that both can be compared line by line. */
export async function asExported(files: ApplyCatalogueDto): Promise<CatalogueFilesDto> {
  // Loaded late, because reading files needs none of the contracts.
  const view = await import('./files/files-view.js');
  return view.asExported(files);
}

/** Names of the `.yaml` files of a catalogue folder, in order; empty if there is no such folder. */
export async function catalogueFileNames(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  const below = names.includes(SUBFOLDER) ? await readdir(join(folder, SUBFOLDER)).catch(() => []) : [];
  return [...names, ...below.map((name) => `${SUBFOLDER}/${name}`)].filter((name) => /\.ya?ml$/.test(name)).sort();
}

async function yamlFiles(folder: string): Promise<YamlFile[]> {
  const found = await catalogueFileNames(folder).catch((error: NodeJS.ErrnoException) => {
    throw new CatalogueFolderRefused(`The folder ${folder} cannot be read (${error.code}).`);
  });
  if (found.length === 0) throw new CatalogueFolderRefused(`The folder ${folder} holds no .yaml files.`);
  if (found.length > MOST_FILES)
    throw new CatalogueFolderRefused(`The folder ${folder} holds more than ${MOST_FILES} .yaml files.`);
  return Promise.all(found.map((name) => readYamlFile(folder, name)));
}

const whole = ({ purposes, documents }: FolderParts): CatalogueFolder => ({
  purposes: purposes.map(({ content }) => content as PurposeFileDto),
  ...Object.fromEntries([...documents].map(([name, { content }]) => [name, content])),
  files: Object.fromEntries([
    ...purposes.map(({ name }, index) => [`purposes[${index}]`, name]),
    ...[...documents].map(([document, { name }]) => [document, name]),
  ]) as Record<string, string>,
});

const refused = (folder: string, problems: readonly FileProblem[]): CatalogueFolderRefused =>
  new CatalogueFolderRefused(
    problems
      .map(({ file, line, path, message }) => `${join(folder, file)}${line ? `:${line}` : ''} ${path} ${message}.`)
      .join('\n')
      .replaceAll('  ', ' '),
    problems,
  );
