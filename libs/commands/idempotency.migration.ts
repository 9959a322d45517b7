import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateIdempotency1763700000002 implements MigrationInterface {
  name = 'CreateIdempotency1763700000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create schema if not exists write;
      create table write.idempotency (
        key bytea primary key,
        fingerprint bytea not null,
        owner uuid not null,
        leased_until timestamptz not null,
        created_at timestamptz not null default now()
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table write.idempotency');
  }
}
