import { Option, type Command } from 'commander';
import { readCatalogueFolder, type BannerPreviewDto } from '../../../catalogue/services.js';
import { POLICY_MODELS } from '../../../policy/index.js';
import { envOption, siteOption } from '../options.js';
import type { Surroundings } from '../surroundings.js';
import { withReasons } from './catalogue-folder.js';
import { catalogueOf, type Scope } from './catalogue-paths.js';

type Options = Scope & { country: string; region?: string; locale?: string; model?: string };

/** `assent catalogue preview`: what the banner would be at a place, and what is wrong with it. */
export const addPreviewCommand = (catalogue: Command, { show, server }: Surroundings): void =>
  void catalogue
    .command('preview [folder]')
    .description('what is wrong with the banner of a folder, of the draft, or of what is published, at a place')
    .addOption(siteOption())
    .addOption(envOption())
    .requiredOption('--country <code>', 'country of the visitor, ISO 3166-1')
    .option('--region <code>', 'region of the visitor, ISO 3166-2')
    .option('--locale <tag>', 'wanted language')
    .addOption(new Option('--model <model>', 'as if the law had this model').choices([...POLICY_MODELS]))
    .action(async (folder: string | undefined, { site, env, ...place }: Options) => {
      const read = folder === undefined ? null : await withReasons(folder, readCatalogueFolder);
      const { files: _, ...files } = read ?? { files: {} };
      const path = `${catalogueOf({ site, env }).replace(/catalogue$/, 'banner')}/preview`;
      const body = { ...place, ...(read && { files }) };
      const preview = await (await server()).post<BannerPreviewDto>(path, body);
      const { banner, findings, of } = preview;
      show.result({ site, env, ...preview }, () => {
        if (findings.length > 0)
          show.table(
            ['SEVERITY', 'RULE', 'PLACE', 'FINDING', 'SOURCE'],
            findings.map(({ severity, rule, path: at, message, source }) => [
              severity.toLowerCase(),
              rule,
              at,
              message,
              source,
            ]),
          );
        show.line('');
        const what = { FILES: 'the folder', DRAFT: 'the draft', PUBLISHED: 'what is published' }[of];
        show.line(`${findings.length} findings in ${what}; it would show ${banner.presentation} in ${banner.locale}`);
      });
      if (findings.some(({ severity }) => severity === 'ERROR')) show.exitCode = 1;
    });
