import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateEndedSessions1763910000002 implements MigrationInterface {
  name = 'CreateEndedSessions1763910000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create schema if not exists write;
      create table write.ended_session (id text collate "C" primary key, ends_at timestamptz not null);
      comment on table write.ended_session is 'Digests of browser sessions that an operator signed out of, until their own end.';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table write.ended_session');
  }
}
