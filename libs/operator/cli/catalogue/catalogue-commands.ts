import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { ApplyCatalogueDto, CatalogueAppliedDto, CatalogueFilesDto } from '../../../catalogue/dto.js';
import { documentOf, examineCatalogueFolder, type ExaminedFolder } from '../../../catalogue/services.js';
import type { ChangeOfFile } from './catalogue-diff.js';
import type { SimulationDto } from '../../../consent/dto.js';
import { addDraftCommands } from './draft-commands.js';
import { addPreviewCommand } from './preview-command.js';
import { addEditingCommands } from './editing-commands.js';
import { catalogueOf, type Scope } from './catalogue-paths.js';
import { exportCatalogue } from './catalogue-export.js';
import { catalogueTypes } from './catalogue-types.js';
import { withReasons } from './catalogue-folder.js';
import { simulated } from './catalogue-simulation.js';
import { CommandFailed, EXIT, failed } from '../failure.js';
import { envOption, siteOption } from '../options.js';
import type { Server } from '../server.js';
import type { Surroundings } from '../surroundings.js';

type Change = CatalogueAppliedDto['changes'][number];

export function addCatalogueCommands(program: Command, surroundings: Surroundings): void {
  const { show, server, progress } = surroundings;
  const catalogue = program.command('catalogue').description('purposes and all that belongs to them, as files');

  catalogue
    .command('apply <folder>')
    .description('publish the files of a folder, where they differ, as new versions')
    .addOption(siteOption())
    .addOption(envOption())
    .option('--dry-run', 'only say what would change', false)
    .option('--take-over', 'make files the owner of a catalogue that is edited in the console', false)
    .action(async (folder: string, { dryRun, takeOver, ...scope }: Scope & { dryRun: boolean; takeOver: boolean }) => {
      const files = await withReasons(folder, examineCatalogueFolder);
      const applied = await applyFolder(await server(), scope, files, { dryRun, takeOver });
      show.result(applied, () => {
        show.table(
          ['FILE', 'KEY', 'CHANGE', 'VERSION', 'WHAT'],
          applied.changes.map((change, index) => [
            fileOf(files, change, index),
            change.key,
            inWords(change),
            change.version,
            change.action === 'NONE' ? '' : change.changed.join(', '),
          ]),
        );
        const count = applied.changes.filter(({ action }) => action !== 'NONE').length;
        const of = `${count} of ${applied.changes.length}`;
        const where = `${scope.site} ${scope.env}`;
        show.line('');
        if (count === 0) show.line('nothing changed, nothing published');
        else if (dryRun) show.line(`${of} would change in ${where}; nothing published (dry run)`);
        else show.line(show.paint('green', `${of} published in ${where}`));
      });
    });

  catalogue
    .command('diff <folder>')
    .description(`what apply would publish, line by line; exit code ${EXIT.differs} where there is something`)
    .addOption(siteOption())
    .addOption(envOption())
    .action(async (folder: string, scope: Scope) => {
      const files = await withReasons(folder, examineCatalogueFolder);
      const service = await server();
      const { changes } = await applyFolder(service, scope, files, { dryRun: true });
      const published = await service.get<CatalogueFilesDto>(catalogueOf(scope));
      const { inPatches } = await import('./catalogue-diff.js');
      const compared = await inPatches(
        changes.map((change, index) => ({ ...change, file: fileOf(files, change, index) })),
        published,
        files,
      );
      const keys = new Set(changes.map(({ key }) => key));
      const withoutFile = published.purposes.map(({ key }) => key).filter((key) => !keys.has(key));
      const different = compared.filter(({ action }) => action !== 'NONE');
      const differs = different.length > 0;
      show.result({ ...scope, differs, changes: compared, withoutFile }, () => {
        for (const change of different) showPatch(change);
        if (!differs) show.line(`no differences to ${scope.site} ${scope.env}`);
        else
          show.line(
            `${different.length} of ${changes.length} would change in ${scope.site} ${scope.env}; publish with: assent catalogue apply ${folder} --site ${scope.site} --env ${scope.env}`,
          );
        if (withoutFile.length > 0) show.line(`without a file here, and left alone: ${withoutFile.join(', ')}`);
      });
      if (differs) show.exitCode = EXIT.differs;
    });

  catalogue
    .command('simulate <folder>')
    .description('how many people apply would ask again, block or allow, by purpose and country; publishes nothing')
    .addOption(siteOption())
    .addOption(envOption())
    .option('--at <timestamp>', 'the moment to report on; default: when all of the folder is in force')
    .action(async (folder: string, { at, ...scope }: Scope & { at?: string }) => {
      const files = await withReasons(folder, examineCatalogueFolder);
      const service = await server();
      const ask = (cursor: string | null): Promise<SimulationDto> =>
        sendFolder(service, `${catalogueOf(scope)}/simulation`, files, {
          ...(at !== undefined && { at }),
          ...(cursor !== null && { cursor }),
        });
      const simulation = await simulated(ask, progress(`simulating ${folder}`));
      show.result({ ...scope, ...simulation }, () => {
        const { impacts, subjects } = simulation;
        if (impacts.length > 0)
          show.table(
            ['PURPOSE', 'COUNTRY', 'ASK AGAIN', 'BECOME BLOCKED', 'BECOME ALLOWED'],
            impacts.map(({ purpose, country, askAgain, becomeBlocked, becomeAllowed }) => [
              purpose,
              country ?? 'not known',
              askAgain,
              becomeBlocked,
              becomeAllowed,
            ]),
          );
        show.line('');
        const what = impacts.length === 0 ? 'no difference to any of' : 'of';
        show.line(`${what} ${subjects} subjects of ${scope.site} ${scope.env} at ${simulation.at}; nothing published`);
      });
    });

  catalogue
    .command('export <folder>')
    .description('write what is published into files that apply reads again, with nothing to do')
    .addOption(siteOption())
    .addOption(envOption())
    .option('--force', 'replace files that say something else', false)
    .action(async (folder: string, { force, ...scope }: Scope & { force: boolean }) => {
      const published = await (await server()).get<CatalogueFilesDto>(catalogueOf(scope));
      const files = await withReasons(folder, () => exportCatalogue(published, folder, force));
      show.result({ ...scope, folder, files }, () => {
        show.table(
          ['FILE', ''],
          files.map(({ file, action }) => [file, action.toLowerCase()]),
        );
      });
    });

  catalogue
    .command('types <file>')
    .description('write the names of what is published into a .d.ts file, for @assent/client to know them')
    .addOption(siteOption())
    .addOption(envOption())
    .action(async (file: string, scope: Scope) => {
      const published = await (await server()).get<CatalogueFilesDto>(catalogueOf(scope));
      const text = catalogueTypes(published, `${scope.site} ${scope.env}`);
      await writeFile(file, text).catch(({ message }: Error) => {
        throw failed(
          'file_not_written',
          `${file} cannot be written: ${message}`,
          'Name a file in a folder that is there.',
        );
      });
      show.result({ ...scope, file }, () => show.line(`${file} written`));
    });

  addEditingCommands(catalogue, surroundings);
  addDraftCommands(catalogue, surroundings);
  addPreviewCommand(catalogue, surroundings);

  const showPatch = (change: ChangeOfFile): void => {
    const about = change.changed.length > 0 ? ` (${change.changed.join(', ')})` : '';
    show.line(show.paint('bold', `${change.file}: ${change.key}, ${inWords(change)} ${change.version}${about}`));
    for (const line of change.patch.split('\n'))
      show.line(
        line.startsWith('+') ? show.paint('green', line) : line.startsWith('-') ? show.paint('red', line) : line,
      );
    show.line('');
  };
}

const applyFolder = (
  server: Server,
  scope: Scope,
  files: ExaminedFolder,
  options: Pick<ApplyCatalogueDto, 'dryRun' | 'takeOver'>,
): Promise<CatalogueAppliedDto> => sendFolder(server, catalogueOf(scope), files, options);

/** Sends the files of a folder. A refusal is shown with the name and the line of the file. */
async function sendFolder<T>(
  { post }: Server,
  path: string,
  { placeOf, files: _, ...contents }: ExaminedFolder,
  more: object,
): Promise<T> {
  return post<T>(path, { ...contents, ...more }).catch((error: unknown) => {
    if (!(error instanceof CommandFailed)) throw error;
    const issues = error.problem.issues.map((issue) => {
      const place = placeOf(issue.path);
      return place
        ? { file: place.file, ...(place.line !== null && { line: place.line }), ...issue, path: place.path }
        : issue;
    });
    throw new CommandFailed({ ...error.problem, issues });
  });
}

/** Changes stand in the order of the purposes that were sent, the documents last. */
const fileOf = ({ files }: ExaminedFolder, { object }: Change, index: number): string =>
  files[documentOf(object)?.name ?? `purposes[${index}]`] ?? '';

const inWords = ({ action, version }: Pick<Change, 'action' | 'version'>): string =>
  action === 'NONE' ? 'unchanged' : action === 'RETIRE' ? 'retired' : version === 1 ? 'new' : 'new version';
