import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { CatalogueFilesDto } from '../../catalogue/dto.js';
import { CatalogueFolderRefused, fileText, readCatalogueFolder, type CatalogueFolder } from '../../catalogue/files.js';
import { CommandFailed } from './failure.js';

export interface ExportedFile {
  file: string;
  action: 'WRITTEN' | 'REPLACED' | 'UNCHANGED';
}

/**
 * Writes a catalogue into a folder that `catalogue apply` takes: a purpose into the file that it has there already, else
 * into `purposes/<key>.yaml`. Without `force` a file that says something else ends it before anything is written.
 */
export async function exportCatalogue(
  { purposes, template }: CatalogueFilesDto,
  folder: string,
  force: boolean,
): Promise<ExportedFile[]> {
  const { fileOf } = await namesIn(folder);
  const wanted = [
    ...purposes.map((purpose) => ({
      file: fileOf(purpose.key) ?? `purposes/${purpose.key}.yaml`,
      text: fileText(purpose),
    })),
    ...(template ? [{ file: fileOf(null) ?? 'template.yaml', text: fileText(template) }] : []),
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

/** The files that a folder has for purposes by key, and for the template under null. */
async function namesIn(folder: string): Promise<{ fileOf: (key: string | null) => string | undefined }> {
  const found = await readCatalogueFolder(folder).catch((error: unknown): CatalogueFolder => {
    // Not there, or nothing in it yet.
    if (error instanceof CatalogueFolderRefused && error.problems.length === 0) return { purposes: [], files: {} };
    throw error;
  });
  const byKey = new Map<string | null, string>();
  for (const [index, purpose] of found.purposes.entries())
    byKey.set((purpose as { key?: string } | null)?.key ?? '', found.files[`purposes[${index}]`]!);
  if (found.template) byKey.set(null, found.files['template']!);
  return { fileOf: (key) => byKey.get(key) };
}
