import { createPatch } from 'diff';
import type { CatalogueAppliedDto, CatalogueFilesDto } from '../../../catalogue/dto.js';
import { asExported, documentOf, fileText, type CatalogueFolder } from '../../../catalogue/services.js';

export type ChangeOfFile = CatalogueAppliedDto['changes'][number] & {
  file: string;
  /** Lines of a unified diff between what is published and the file; empty where nothing changes. */
  patch: string;
};

/** Lines around a difference. */
const CONTEXT = 2;

/** Each change with the lines that make it. Both sides are written alike, so that order and defaults make no difference. */
export async function inPatches(
  changes: readonly Omit<ChangeOfFile, 'patch'>[],
  published: CatalogueFilesDto,
  wanted: CatalogueFolder,
): Promise<ChangeOfFile[]> {
  const after = await asExported(wanted);
  return changes.map((change, index) => {
    if (change.action === 'NONE') return { ...change, patch: '' };
    const document = documentOf(change.object)?.name;
    const was = document ? published[document] : published.purposes.find(({ key }) => key === change.key);
    const is = document ? after[document] : after.purposes[index];
    return { ...change, patch: patchOf(was, is) };
  });
}

const patchOf = (was: object | undefined, is: object | undefined): string =>
  createPatch('', textOf(was), textOf(is), '', '', { context: CONTEXT })
    .split('\n')
    // Headers that name files; these stand in front of the patch already.
    .slice(4)
    .join('\n')
    .trimEnd();

const textOf = (file: object | undefined): string => (file ? fileText(file, { sorted: true }) : '');
