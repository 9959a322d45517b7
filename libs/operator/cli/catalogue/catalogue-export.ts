import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { CatalogueFilesDto } from '../../../catalogue/dto.js';
import {
  CatalogueFolderRefused,
  DOCUMENTS,
  fileText,
  readCatalogueFolder,
  type CatalogueFolder,
} from '../../../catalogue/services.js';
import { CommandFailed } from '../failure.js';

export interface ExportedFile {
  file: string;
  action: 'WRITTEN' | 'REPLACED' | 'UNCHANGED';
}

/**
 * Writes a catalogue into a folder that `catalogue apply` takes: a purpose into the file that it has there already, else
 * into `purposes/<key>.yaml`. Without `force` a file that says something else ends it before anything is written.
 */
export async function exportCatalogue(
  published: CatalogueFilesDto,
  folder: string,
  force: boolean,
): Promise<ExportedFile[]> {
  const { purposeFile, documentFile } = await namesIn(folder);
  const wanted = [
    ...published.purposes.map((purpose) => ({
      file: purposeFile(purpose.key) ?? `purposes/${purpose.key}.yaml`,
      text: fileText(purpose),
    })),
    ...DOCUMENTS.flatMap(({ name }) => {
      const document = published[name];
      return document ? [{ file: documentFile(name) ?? `${name}.yaml`, text: fileText(document) }] : [];
    }),
  ];
  const planned = await Promise.all(
    wanted.map(async ({ file, text }) => {
      const there = await readFile(join(folder, file), 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null;
        throw error;
      });
      const action = there === null ? 'WRITTEN' : there === text ? 'UNCHANGED' : 'REPLACED';
      return { file, text, action } as const;
    }),
  );
  const inTheWay = planned.filter(({ action }) => action === 'REPLACED');
  if (inTheWay.length > 0 && !force)
    throw new CommandFailed({
      code: 'files_exist',
      message: `${inTheWay.length} of ${planned.length} files are there already and say something else; nothing was written.`,
      hint: 'Name an empty folder, or replace them with --force. What differs in meaning: assent catalogue diff.',
      issues: inTheWay.map(({ file }) => ({ file, path: '', message: 'is there already' })),
    });
  for (const { file, text, action } of planned) if (action !== 'UNCHANGED') await replace(join(folder, file), text);
  return planned.map(({ file, action }) => ({ file, action }));
}

/** A reader never sees half of a file, and a full disk leaves the old one. */
async function replace(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.part`;
  await writeFile(draft, text);
  await rename(draft, path);
}

/** The files that a folder has for purposes, by key, and for documents, by name. */
async function namesIn(
  folder: string,
): Promise<Record<'purposeFile' | 'documentFile', (name: string) => string | undefined>> {
  const { purposes, files } = await readCatalogueFolder(folder).catch((error: unknown): CatalogueFolder => {
    // Not there, or nothing in it yet.
    if (error instanceof CatalogueFolderRefused && error.problems.length === 0) return { purposes: [], files: {} };
    throw error;
  });
  const byKey = new Map<string, string>();
  for (const [index, purpose] of purposes.entries())
    byKey.set((purpose as { key?: string } | null)?.key ?? '', files[`purposes[${index}]`]!);
  return { purposeFile: (key) => byKey.get(key), documentFile: (name) => files[name] };
}
