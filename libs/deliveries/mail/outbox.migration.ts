import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateMailOutbox1763750000002 implements MigrationInterface {
  name = 'CreateMailOutbox1763750000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create schema if not exists mail;
      create table mail.outbox (
        id bigint generated always as identity primary key,
        message_id text collate "C" not null unique,
        site text collate "C" not null,
        env text collate "C" not null check (env = 'test'),
        subject_id text collate "C" not null,
        sealed bytea not null,
        created_at timestamptz not null default now()
      );
      create index outbox_of_subject on mail.outbox (subject_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop schema mail cascade');
  }
}
