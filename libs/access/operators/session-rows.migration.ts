import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateOperatorSessions1763930000001 implements MigrationInterface {
  name = 'CreateOperatorSessions1763930000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create schema if not exists write;
      create table write.operator_session (
        id text collate "C" primary key,
        operator text collate "C" not null,
        began_at timestamptz not null,
        last_seen_at timestamptz not null,
        ends_at timestamptz not null,
        roles jsonb
      );
      create index operator_session_of on write.operator_session (operator, began_at desc);
      comment on table write.operator_session is 'Browser sessions of operators, until they end. The id is a digest; roles: null where those of the token count.';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table write.operator_session');
  }
}
