import type { Command } from 'commander';
import { join } from 'node:path';
import { WrongUsage } from '../failure.js';
import type { Surroundings } from '../surroundings.js';

export function addInstallationCommands(program: Command, { show, env, release }: Surroundings): void {
  program
    .command('migrate')
    .description('bring the database up to this release; once per release, before its processes start')
    .option('--dry-run', 'only list what is pending')
    .action(async ({ dryRun = false }: { dryRun?: boolean }) => {
      const { migrateDatabase } = await import('../../migrate.js');
      const migrations = await migrateDatabase(await release(), env, dryRun, (line) => show.note(line));
      show.result({ dryRun, migrations }, () => {
        for (const name of migrations) show.line(`${dryRun ? 'pending' : 'migrated'}  ${name}`);
        show.line(
          migrations.length === 0
            ? 'The database is up to date.'
            : `${migrations.length} ${dryRun ? 'to run' : 'done'}.`,
        );
      });
    });

  program
    .command('demo')
    .description(
      'make the demo site of an installation of several processes, or make sure of it; keys go to <ASSENT_DATA>/demo.json where that is set',
    )
    .action(async () => {
      if (!env['ASSENT_DATA'] && env['NODE_ENV'] === 'production')
        throw new WrongUsage('In production keys are not printed: name a folder for them in ASSENT_DATA.');
      const { seedDemo } = await release();
      const { demo, folder } = await seedDemo(env, (line) => show.note(line));
      // Shown to a person only: in a pipe they would end in a log file, and the folder keeps them.
      const showsKeys = folder === null || (show.isTerminal && env['NODE_ENV'] !== 'production');
      show.result(demo, () => {
        show.table(
          ['DEMO SITE', demo.site],
          [
            ['address', demo.url],
            ...(showsKeys
              ? [
                  ['public key', demo.publicKey],
                  ['secret key', demo.secretKey],
                  ['operator', demo.operatorToken],
                ]
              : []),
          ],
        );
        show.line(
          folder === null
            ? '\nKeep the keys now: without ASSENT_DATA they are stored nowhere, and the next call issues others.'
            : `\nKept in ${join(folder, 'demo.json')}.`,
        );
      });
    });
}
