import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which streams of a log this database belongs to. */
export class NoteLogPrefix1763811000001 implements MigrationInterface {
  name = 'NoteLogPrefix1763811000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table write.log_prefix (
        is_only boolean primary key default true check (is_only),
        prefix text collate "C" not null
      );
      comment on table write.log_prefix is 'What the names of the streams begin with that this database belongs to.';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table write.log_prefix');
  }
}
