import type { MigrationInterface, QueryRunner } from 'typeorm';

/** From a token's hash to the request that it is of. Says nothing about whether the link still counts: the stream does. */
export class CreateConfirmationTokens1763770000001 implements MigrationInterface {
  name = 'CreateConfirmationTokens1763770000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table write.confirmation_tokens (
        token_hash bytea primary key,
        site text collate "C" not null,
        env text collate "C" not null,
        subject_id text collate "C" not null,
        request_id text collate "C" not null,
        expires_at timestamptz not null
      );
      create index confirmation_tokens_subject on write.confirmation_tokens (subject_id);
      create index confirmation_tokens_expiry on write.confirmation_tokens (expires_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table write.confirmation_tokens');
  }
}
