import type { Command } from 'commander';
import type { Backup } from '../../backup/backup.js';
import type { Surroundings } from '../surroundings.js';

export function addBackupCommands(program: Command, { show, env, release, progress }: Surroundings): void {
  program
    .command('backup <folder>')
    .description(
      'log, vault and all else that has to be kept, as it is at one moment, into a new folder; works on the database directly',
    )
    .action(async (folder: string) => {
      const { backUp } = await import('../../backup/backup.js');
      const bar = progress('backing up');
      const backup = await backUp(await release(), env, folder, (share, rows) => bar.show(share, rows, 'rows')).finally(
        () => bar.end(),
      );
      show.result(summaryOf(folder, backup), () => {
        show.table(['BACKED UP', 'ROWS', 'BYTES'], backup.tables.map(lineOf));
        show.line(`\nKept in ${folder}. The master key is not in it: keep that elsewhere.`);
        if (backup.log === 'eventstoredb')
          show.line('The log is in EventStoreDB and not in this folder: it has to be backed up before this.');
      });
    });

  program
    .command('restore <folder>')
    .description(
      'bring a backup into an empty database: that of DATABASE_URL, else the bundled one in ASSENT_DATA, while the service does not run',
    )
    .action(async (folder: string) => {
      const { restore } = await import('../../backup/restore.js');
      const bar = progress('restoring');
      const restored = await restore(
        await release(),
        env,
        folder,
        (line) => show.note(line),
        (share, rows) => bar.show(share, rows, 'rows'),
      ).finally(() => bar.end());
      show.result(summaryOf(folder, restored), () => {
        show.table(['RESTORED', 'ROWS', 'BYTES'], restored.tables.map(lineOf));
        show.line(`\nAs it was at ${restored.takenAt}. Read models are built from the log when the service starts.`);
      });
    });
}

const lineOf = ({ name, rows, bytes }: Backup['tables'][number]): string[] => [
  name,
  rows.toLocaleString('en'),
  bytes.toLocaleString('en'),
];

const summaryOf = (folder: string, { takenAt, log, tables }: Backup) => ({
  folder,
  takenAt,
  log,
  tables: tables.map(({ name, rows, bytes, sha256 }) => ({ name, rows, bytes, sha256 })),
});
