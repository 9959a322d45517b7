import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateCatalogueDrafts1764320000001 implements MigrationInterface {
  name = 'CreateCatalogueDrafts1764320000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create schema if not exists write;
      create table write.catalogue_drafts (
        site text collate "C" not null,
        env text collate "C" not null,
        files_hash text collate "C" not null,
        -- Canonical JSON.
        files text not null,
        saved_at timestamptz not null,
        primary key (site, env, files_hash)
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table write.catalogue_drafts');
  }
}
