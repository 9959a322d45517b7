import type { Command } from 'commander';
import { failed } from './failure.js';
import type { Surroundings } from './surroundings.js';

interface Site {
  site: string;
  name: string;
  allowedOrigins: Record<string, string[]>;
}

interface Options {
  site: string;
  env: string;
}

const PATH = '/admin/v1/sites';

/** `assent sites origins add|remove`: one origin of a list that is otherwise replaced whole. */
export function addSiteOriginCommands(program: Command, { show, server }: Surroundings): void {
  const sites = program.commands.find((command) => command.name() === 'sites')!;
  const origins = sites.command('origins').description('pages that may call with the public keys of a site');

  const change = async ({ site, env }: Options, to: (listed: string[]) => string[]): Promise<void> => {
    const { all, post } = await server();
    const known = (await all<Site>(PATH)).find((one) => one.site === site);
    if (!known) throw failed('site_unknown', `There is no site ${site}.`, 'List them with: assent sites list');
    const listed = to(known.allowedOrigins[env] ?? []);
    const changed = await post<Site>(PATH, { site, name: known.name, allowedOrigins: { [env]: listed } });
    show.result(changed, () =>
      show.table(['SITE', 'ENV', 'ORIGINS'], [[site, env, changed.allowedOrigins[env] ?? []]]),
    );
  };

  origins
    .command('add <origin>')
    .description('allow the pages of an origin, such as https://shop.example')
    .option('--site <site>', 'site', 'demo')
    .option('--env <env>', 'test or live', 'test')
    .action((origin: string, options: Options) => change(options, (listed) => [...new Set([...listed, origin])]));

  origins
    .command('remove <origin>')
    .description('allow them no longer')
    .option('--site <site>', 'site', 'demo')
    .option('--env <env>', 'test or live', 'test')
    .action((origin: string, options: Options) => change(options, (listed) => listed.filter((one) => one !== origin)));
}
