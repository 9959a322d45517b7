import type { Command } from 'commander';
import type { DataRole } from '../../backup/data-role.js';
import { operatorOption } from '../options.js';
import type { Surroundings } from '../surroundings.js';

interface By {
  operator?: string;
}

export function addDataRoleCommands(program: Command, { show, env, release }: Surroundings): void {
  const roles = program
    .command('data-role')
    .description('logins of the database for data teams, who read the published views and nothing else');
  const table = (all: readonly DataRole[]): void =>
    show.table(
      ['ROLE', 'MAY READ', 'MAY NOT READ'],
      all.map(({ name, views, missing }) => [name, views, missing]),
    );

  roles
    .command('create <name>')
    .description('make one, and show how it connects, once; one that is there is given its rights again')
    .option('--new-password', 'also another password for one that is there')
    .addOption(operatorOption())
    .action(async (name: string, { newPassword = false, operator: who }: By & { newPassword?: boolean }) => {
      const { withEngines, createDataRole, operatorOf } = await operator();
      const made = await withEngines(await release(), env, (engines) =>
        createDataRole(engines, name, operatorOf(who), newPassword),
      );
      show.result(made, () => {
        table([made]);
        show.line('');
        show.line(made.url ?? 'It keeps its password; --new-password gives it another.');
        if (made.url) show.note('Keep it now: the password is shown this once.');
      });
    });

  roles
    .command('list')
    .description('those that were made by this command; exit code 1 where one cannot read all published views')
    .action(async () => {
      const { withEngines, dataRoles } = await operator();
      const data = await withEngines(await release(), env, dataRoles);
      show.result({ data }, () => table(data));
      if (data.some(({ missing }) => missing.length > 0)) show.exitCode = 1;
    });

  roles
    .command('drop <name>')
    .description('take its rights, end its sessions, and drop it')
    .addOption(operatorOption())
    .action(async (name: string, { operator: who }: By) => {
      const { withEngines, dropDataRole, operatorOf } = await operator();
      await withEngines(await release(), env, (engines) => dropDataRole(engines, name, operatorOf(who)));
      show.result({ name, dropped: true }, () => show.line(`${name} is gone.`));
    });
}

/** Loads the engines, which takes half a second: only these commands need them. */
async function operator() {
  const [engines, dataRole, operations] = await Promise.all([
    import('../../engines.js'),
    import('../../backup/data-role.js'),
    import('../../operations.js'),
  ]);
  return { ...engines, ...dataRole, ...operations };
}
