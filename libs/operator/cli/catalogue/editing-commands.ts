import { Option, type Command } from 'commander';
import type { CatalogueSettingsDto, ChangeCatalogueSettingsDto } from '../../../catalogue/dto.js';
import { envOption, siteOption } from '../options.js';
import type { Surroundings } from '../surroundings.js';
import { catalogueOf, type Scope } from './catalogue-paths.js';

/** `assent catalogue settings`: where a catalogue is written. */
export function addEditingCommands(catalogue: Command, { show, server }: Surroundings): void {
  catalogue
    .command('settings')
    .description('show, or change, whether files or drafts of the console write the catalogue')
    .addOption(siteOption())
    .addOption(envOption())
    .addOption(new Option('--owner <owner>', 'what writes it').choices(['files', 'console']))
    .addOption(new Option('--approval <eyes>', 'whose eyes a draft needs').choices(['none', 'four-eyes']))
    .action(async ({ owner, approval, ...scope }: Scope & { owner?: string; approval?: string }) => {
      const service = await server();
      const path = `${catalogueOf(scope)}/settings`;
      const wanted = {
        ...(owner !== undefined && { owner: codeOf(owner) }),
        ...(approval !== undefined && { approval: codeOf(approval) }),
      } as ChangeCatalogueSettingsDto;
      const settings = await (Object.keys(wanted).length > 0
        ? service.patch<CatalogueSettingsDto>(path, wanted)
        : service.get<CatalogueSettingsDto>(path));
      show.result(settings, () => {
        show.line(`${scope.site} ${scope.env} is edited in ${settings.owner === 'FILES' ? 'files' : 'the console'}`);
        if (settings.approval === 'FOUR_EYES')
          show.line('another operator than the last one who edited a draft has to publish it');
      });
    });
}

/** `four-eyes` as the interface spells it. */
const codeOf = (word: string): string => word.toUpperCase().replace('-', '_');
