import type { Command } from 'commander';
import { CatalogueFolderRefused, readCatalogueFolder } from '../../catalogue/files.js';
import { CommandFailed, failed } from './failure.js';
import type { Surroundings } from './surroundings.js';

interface Applied {
  published: boolean;
  changes: { key: string; action: 'PUBLISH' | 'RETIRE' | 'NONE'; version: number; changed: string[] }[];
}

export function addCatalogueCommands(program: Command, { show, server }: Surroundings): void {
  const catalogue = program.command('catalogue').description('purposes as files');
  catalogue
    .command('apply <folder>')
    .description('publish the purpose files of a folder, where they differ, as new versions')
    .option('--site <site>', 'site', 'demo')
    .option('--env <env>', 'test or live', 'test')
    .option('--dry-run', 'only say what would change', false)
    .action(async (folder: string, { site, env, dryRun }: { site: string; env: string; dryRun: boolean }) => {
      const { files, purposes } = await read(folder);
      const { post } = await server();
      const applied = await post<Applied>(`/admin/v1/sites/${encodeURIComponent(site)}/${encodeURIComponent(env)}/catalogue`, { purposes, dryRun }).catch((error: unknown) => {
        if (error instanceof CommandFailed) error.files = files;
        throw error;
      });
      show.result(applied, () => {
        show.table(['FILE', 'PURPOSE', 'CHANGE', 'VERSION', 'WHAT'], applied.changes.map((change, index) => [files[index] ?? '', change.key, inWords(change), change.version, what(change)]));
        show.line('');
        const count = applied.changes.filter(({ action }) => action !== 'NONE').length;
        if (count === 0) show.line('nothing changed, nothing published');
        else if (dryRun) show.line(`${count} of ${files.length} would change in ${site} ${env}; nothing published (dry run)`);
        else show.line(show.paint('green', `${count} of ${files.length} published in ${site} ${env}`));
      });
    });
}

async function read(folder: string): ReturnType<typeof readCatalogueFolder> {
  const found = await readCatalogueFolder(folder).catch((error: unknown) => {
    if (error instanceof CatalogueFolderRefused) throw unusable(error.message);
    throw error;
  });
  // An alias of YAML can name what it stands in.
  for (const [index, purpose] of found.purposes.entries()) if (!isTree(purpose)) throw unusable(`${found.files[index]} holds an alias that refers to itself.`);
  return found;
}

const unusable = (message: string): CommandFailed => failed('folder_unusable', message, 'Name a folder of YAML files, one purpose in each.');

function isTree(value: unknown): boolean {
  try {
    JSON.stringify(value);
    return true;
  } catch {
    return false;
  }
}

const inWords = ({ action, version }: Applied['changes'][number]): string => (action === 'NONE' ? 'unchanged' : action === 'RETIRE' ? 'retired' : version === 1 ? 'new' : 'new version');
const what = ({ action, changed }: Applied['changes'][number]): string => (action === 'NONE' ? '' : changed.join(', '));
