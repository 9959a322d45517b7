import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateKeyUse1763740000001 implements MigrationInterface {
  name = 'CreateKeyUse1763740000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create schema if not exists write;
      create table write.key_use (
        key_id text primary key,
        used_hour timestamptz not null
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table write.key_use');
  }
}
