import type { Command } from 'commander';
import { SITE_PATTERN } from '../../../kernel/index.js';
import { WrongUsage } from '../failure.js';
import { envOption, siteOption } from '../options.js';
import type { Surroundings } from '../surroundings.js';

interface Site {
  site: string;
  allowedOrigins: Record<string, string[]>;
}

interface Options {
  site: string;
  env: string;
}

/** `assent sites origins add|remove`: origins of a list that is otherwise replaced whole. */
export function addSiteOriginCommands(program: Command, { show, server }: Surroundings): void {
  const sites = program.commands.find((command) => command.name() === 'sites')!;
  const origins = sites.command('origins').description('pages that may call with the public keys of a site');

  const change = async ({ site, env }: Options, how: { add: string[] } | { remove: string[] }): Promise<void> => {
    // Other commands take the site here, and an origin never looks like one.
    const named = Object.values(how)
      .flat()
      .find((origin) => SITE_PATTERN.test(origin));
    if (named !== undefined)
      throw new WrongUsage(`${named} is no origin, such as https://shop.example.`, `Name a site by --site ${named}.`);
    const path = `/admin/v1/sites/${encodeURIComponent(site)}/origins`;
    const changed = await (await server()).post<Site>(path, { env, ...how });
    show.result(changed, () =>
      show.table(['SITE', 'ENV', 'ORIGINS'], [[site, env, changed.allowedOrigins[env] ?? []]]),
    );
  };

  origins
    .command('add <origin...>')
    .description('allow the pages of origins, such as https://shop.example')
    .addOption(siteOption())
    .addOption(envOption())
    .action((add: string[], options: Options) => change(options, { add }));

  origins
    .command('remove <origin...>')
    .description('allow them no longer')
    .addOption(siteOption())
    .addOption(envOption())
    .action((remove: string[], options: Options) => change(options, { remove }));
}
