import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateUpkeep1763920000001 implements MigrationInterface {
  name = 'CreateUpkeep1763920000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create schema if not exists write;
      create table write.upkeep (what text collate "C" primary key, at timestamptz not null, result jsonb not null);
      comment on table write.upkeep is 'What operators last did by the command line to keep the installation well, and what came of it.';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table write.upkeep');
  }
}
