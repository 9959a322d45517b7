import type { Command } from 'commander';
import { CatalogueFolderRefused, readCatalogueFolder } from '../../catalogue/files.js';
import { CommandFailed, failed } from './failure.js';
import type { Surroundings } from './surroundings.js';

interface Applied {
  published: boolean;
  changes: {
    object: 'purpose' | 'preference_template';
    key: string;
    action: 'PUBLISH' | 'RETIRE' | 'NONE';
    version: number;
    changed: string[];
  }[];
}

export function addCatalogueCommands(program: Command, { show, server }: Surroundings): void {
  const catalogue = program.command('catalogue').description('purposes and preference template as files');
  catalogue
    .command('apply <folder>')
    .description('publish the files of a folder, where they differ, as new versions')
    .option('--site <site>', 'site', 'demo')
    .option('--env <env>', 'test or live', 'test')
    .option('--dry-run', 'only say what would change', false)
    .action(async (folder: string, { site, env, dryRun }: { site: string; env: string; dryRun: boolean }) => {
      const { files, ...content } = await read(folder);
      const { post } = await server();
      const applied = await post<Applied>(
        `/admin/v1/sites/${encodeURIComponent(site)}/${encodeURIComponent(env)}/catalogue`,
        { ...content, dryRun },
      ).catch((error: unknown) => {
        if (error instanceof CommandFailed) error.files = files;
        throw error;
      });
      show.result(applied, () => {
        const fileOf = ({ object }: Applied['changes'][number], index: number): string =>
          files[object === 'purpose' ? `purposes[${index}]` : 'template'] ?? '';
        show.table(
          ['FILE', 'KEY', 'CHANGE', 'VERSION', 'WHAT'],
          applied.changes.map((change, index) => [
            fileOf(change, index),
            change.key,
            inWords(change),
            change.version,
            what(change),
          ]),
        );
        show.line('');
        const count = applied.changes.filter(({ action }) => action !== 'NONE').length;
        if (count === 0) show.line('nothing changed, nothing published');
        else if (dryRun)
          show.line(
            `${count} of ${applied.changes.length} would change in ${site} ${env}; nothing published (dry run)`,
          );
        else show.line(show.paint('green', `${count} of ${applied.changes.length} published in ${site} ${env}`));
      });
    });
}

const read = (folder: string): ReturnType<typeof readCatalogueFolder> =>
  readCatalogueFolder(folder).catch((error: unknown) => {
    if (error instanceof CatalogueFolderRefused)
      throw failed(
        'folder_unusable',
        error.message,
        'Name a folder of YAML files: one purpose in each, and the preference template in template.yaml.',
      );
    throw error;
  });

const inWords = ({ action, version }: Applied['changes'][number]): string =>
  action === 'NONE' ? 'unchanged' : action === 'RETIRE' ? 'retired' : version === 1 ? 'new' : 'new version';
const what = ({ action, changed }: Applied['changes'][number]): string => (action === 'NONE' ? '' : changed.join(', '));
