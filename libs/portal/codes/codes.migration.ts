import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Codes that were mailed, and portal tokens that were used to sign in. Everything in it is gone after a day. */
export class CreatePortal1763870000001 implements MigrationInterface {
  name = 'CreatePortal1763870000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create schema if not exists portal;
      create table portal.code (
        id text collate "C" primary key,
        site text collate "C" not null,
        env text collate "C" not null,
        purpose text collate "C" not null,
        address text collate "C" not null,
        digest text collate "C" not null,
        sealed bytea not null,
        tries int not null default 0,
        created_at timestamptz not null,
        expires_at timestamptz not null,
        used_at timestamptz
      );
      create index code_of_address on portal.code (address, created_at);
      create index code_created on portal.code (created_at);
      create index code_to_blank on portal.code (expires_at) where sealed <> '';
      comment on table portal.code is 'One row for each code that was mailed, for a day. Address and code are keyed digests; what the code is for is sealed with the master key, and empty once the code is used or over.';
      create table portal.used_token (id text collate "C" primary key, expires_at timestamptz not null);
      comment on table portal.used_token is 'Ids of portal tokens that signed a person in, until they expire: each does so once.';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop schema portal cascade');
  }
}
