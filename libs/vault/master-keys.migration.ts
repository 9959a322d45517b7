import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which master key wraps what, so that it can be rotated. Null: the first one, of an earlier release. */
export class RotateMasterKeys1763798000001 implements MigrationInterface {
  name = 'RotateMasterKeys1763798000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table vault.master_keys (
        id text collate "C" primary key,
        carried bytea not null,
        begun_at timestamptz not null default now(),
        finished_at timestamptz
      );
      comment on column vault.master_keys.carried is 'What the key took over from the one before it, sealed with it.';
      alter table vault.subject_keys add column master text collate "C";
      alter table vault.sealed_secrets add column master text collate "C";
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table vault.subject_keys drop column master;
      alter table vault.sealed_secrets drop column master;
      drop table vault.master_keys;
    `);
  }
}
