import { CatalogueFolderRefused, DOCUMENTS } from '../../../catalogue/services.js';
import { CommandFailed, failed } from '../failure.js';

/** Runs `work` on a catalogue folder. Where the folder cannot be used, it names every wrong file and says what to do. */
export const withReasons = <T>(folder: string, work: (folder: string) => Promise<T>): Promise<T> =>
  work(folder).catch((error: unknown) => {
    if (!(error instanceof CatalogueFolderRefused)) throw error;
    const { message, problems } = error;
    if (problems.length === 0)
      throw failed(
        'folder_unusable',
        message,
        `Name a folder of YAML files: one purpose in each, and ${DOCUMENTS.map(({ title, name }) => `the ${title} in ${name}.yaml`).join(', ')}.`,
      );
    const files = new Set(problems.map(({ file }) => file)).size;
    throw new CommandFailed({
      code: 'files_unusable',
      message: `${counted(files, 'file')} in ${folder} cannot be used, for ${counted(problems.length, 'reason')}.`,
      hint: 'Correct what is named here and call it again; nothing was published, and nothing written.',
      issues: problems.map(({ line, ...problem }) => ({ ...problem, ...(line !== null && { line }) })),
    });
  });

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
