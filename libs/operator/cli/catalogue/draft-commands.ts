import { InvalidArgumentError, type Command } from 'commander';
import type { CatalogueFilesDto } from '../../../catalogue/dto.js';
import {
  readCatalogueFolder,
  type CatalogueDifferenceDto,
  type CatalogueDraftDto,
  type CatalogueVersionDto,
  type CatalogueVersionListDto,
} from '../../../catalogue/services.js';
import { CommandFailed, failed } from '../failure.js';
import { envOption, siteOption } from '../options.js';
import type { Surroundings } from '../surroundings.js';
import { exportCatalogue } from './catalogue-export.js';
import { withReasons } from './catalogue-folder.js';
import { catalogueOf, type Scope } from './catalogue-paths.js';

const wholeNumber = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('A whole number.');
  return Number(text);
};

/** `assent catalogue draft`, `publish` and `versions`. */
export function addDraftCommands(catalogue: Command, { show, server }: Surroundings): void {
  const draft = catalogue.command('draft').description('what waits to be published, as the console edits it');
  const draftOf = (scope: Scope): string => `${catalogueOf(scope)}/draft`;

  draft
    .command('show')
    .description('who saved the draft last, what it would change, and what keeps it from being published')
    .addOption(siteOption())
    .addOption(envOption())
    .option('--out <folder>', 'write its files into a folder')
    .option('--force', 'replace files that say something else', false)
    .action(async ({ out, force, ...scope }: Scope & { out?: string; force: boolean }) => {
      const found = await (await server()).get<CatalogueDraftDto>(draftOf(scope));
      const files = out === undefined ? [] : await withReasons(out, () => written(found, out, force));
      show.result({ ...scope, ...found, ...(out !== undefined && { written: files }) }, () => {
        showDraft(found, scope);
        if (out !== undefined)
          show.table(
            ['FILE', ''],
            files.map(({ file, action }) => [file, action.toLowerCase()]),
          );
      });
    });

  draft
    .command('put <folder>')
    .description('save the files of a folder, finished or not, as the draft')
    .addOption(siteOption())
    .addOption(envOption())
    .option('--replace', 'save over the draft that is there', false)
    .option('--base <version>', 'the version of the catalogue that the folder was brought up to', wholeNumber)
    .action(async (folder: string, { replace, base, ...scope }: Scope & { replace: boolean; base?: number }) => {
      const { files, ...contents } = await withReasons(folder, readCatalogueFolder);
      const service = await server();
      const before = await service.get<CatalogueDraftDto>(draftOf(scope));
      if (before.state === 'OPEN' && !replace)
        throw failed(
          'draft_exists',
          `A draft is there already: ${before.editedBy} saved it at ${before.editedAt}.`,
          'Look at it with assent catalogue draft show, and save over it with --replace.',
        );
      const body = { ...contents, ...(base !== undefined && { base }) };
      const saved = await service.put<CatalogueDraftDto>(draftOf(scope), body, before.tag);
      const issues = saved.issues.map(({ path, message }) => {
        const [place = ''] = /^\w+(\[\d+\])?/.exec(path) ?? [];
        const file = files[place];
        return file === undefined ? { path, message } : { file, path: path.slice(place.length + 1), message };
      });
      show.result({ ...scope, ...saved, issues }, () => showDraft({ ...saved, issues }, scope));
    });

  draft
    .command('discard')
    .description('throw the draft away; nothing of it is published')
    .addOption(siteOption())
    .addOption(envOption())
    .action(async (scope: Scope) => {
      const service = await server();
      const { tag } = await service.get<CatalogueDraftDto>(draftOf(scope));
      const after = await service.delete<CatalogueDraftDto>(draftOf(scope), tag);
      show.result({ ...scope, ...after }, () => showDraft(after, scope));
    });

  catalogue
    .command('publish')
    .description('publish the draft as the next version of the catalogue')
    .addOption(siteOption())
    .addOption(envOption())
    .action(async (scope: Scope) => {
      const service = await server();
      const { tag } = await service.get<CatalogueDraftDto>(draftOf(scope));
      const version = await service.post<CatalogueVersionDto>(`${draftOf(scope)}/publish`, null, tag);
      show.result({ ...scope, ...version }, () => {
        showVersions([version]);
        show.line('');
        show.line(show.paint('green', `version ${version.version} published in ${scope.site} ${scope.env}`));
      });
    });

  catalogue
    .command('versions [version]')
    .description('what was published, newest first; of one version, what differs from another one')
    .addOption(siteOption())
    .addOption(envOption())
    .option('--from <version>', 'the version to compare with; default: the one before', wholeNumber)
    .option('--limit <number>', 'how many to list', wholeNumber, 20)
    .action(
      async (version: string | undefined, { from, limit, ...scope }: Scope & { from?: number; limit: number }) => {
        const service = await server();
        const path = `${catalogueOf(scope)}/versions`;
        if (version === undefined) {
          const page = await service.get<CatalogueVersionListDto>(`${path}?limit=${limit}`);
          return show.result({ ...scope, ...page }, () => showVersions(page.data));
        }
        const query = from === undefined ? '' : `?from=${from}`;
        const difference = await service.get<CatalogueDifferenceDto>(
          `${path}/${encodeURIComponent(version)}/diff${query}`,
        );
        show.result({ ...scope, ...difference }, () => {
          for (const { object, key, action, fields } of difference.changes) {
            show.line(show.paint('bold', `${object === key ? key : `${object} ${key}`}, ${action.toLowerCase()}`));
            for (const { path: at, before, after } of fields) {
              show.line(`  ${at}`);
              if (before !== null) show.line(show.paint('red', `  - ${JSON.stringify(before)}`));
              if (after !== null) show.line(show.paint('green', `  + ${JSON.stringify(after)}`));
            }
          }
          show.line(`${difference.changes.length} differ between version ${difference.from} and ${difference.to}`);
        });
      },
    );

  const showVersions = (versions: readonly CatalogueVersionDto[]): void =>
    show.table(
      ['VERSION', 'PUBLISHED', 'BY', 'FROM', 'WHAT'],
      versions.map(({ version, at, by, source, editedBy, changes }) => [
        version,
        at,
        by,
        source === 'FILES' ? 'files' : `draft of ${editedBy}`,
        changes.map(({ key, action, version: of }) => (action === 'RETIRE' ? `${key} retired` : `${key} ${of}`)),
      ]),
    );

  const showDraft = (
    { state, editedBy, editedAt, base, version, issues, changes, settings }: CatalogueDraftDto,
    { site, env }: Scope,
  ): void => {
    if (state === 'NONE') return show.line(`no draft in ${site} ${env}; version ${version} is published`);
    if (changes.length > 0)
      show.table(
        ['OBJECT', 'KEY', 'CHANGE', 'VERSION', 'WHAT'],
        changes.map((change) => [
          change.object,
          change.key,
          change.action.toLowerCase(),
          change.version,
          change.changed.join(', '),
        ]),
      );
    if (issues.length > 0)
      show.table(
        ['FILE', 'PLACE', 'PROBLEM'],
        (issues as { file?: string; path: string; message: string }[]).map(({ file = '', path, message }) => [
          file,
          path,
          message,
        ]),
      );
    show.line('');
    show.line(`draft of ${site} ${env}, saved by ${editedBy} at ${editedAt}, made from version ${base}`);
    if (base !== version)
      show.line(`version ${version} is published: see assent catalogue versions ${version} --from ${base}`);
    if (issues.length > 0) show.line('it cannot be published yet');
    if (settings.owner === 'FILES') show.line('files own this catalogue: it cannot be published as a draft');
  };
}

/** A purpose without a key has no name for its file. */
function written(
  { files, issues }: CatalogueDraftDto,
  folder: string,
  force: boolean,
): ReturnType<typeof exportCatalogue> {
  const nameless = files.purposes.findIndex(
    (purpose) => typeof (purpose as { key?: unknown } | null)?.key !== 'string',
  );
  if (nameless >= 0)
    throw new CommandFailed({
      code: 'draft_unfinished',
      message: `purposes[${nameless}] of the draft has no key, so that no file can be named after it.`,
      hint: 'Give it a key in the draft first.',
      issues,
    });
  return exportCatalogue(files as CatalogueFilesDto, folder, force);
}
