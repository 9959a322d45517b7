import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The vault stands in a schema of its own, so that it can be backed up apart and for a short time only. */
export class CreateVault1763700000001 implements MigrationInterface {
  name = 'CreateVault1763700000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create schema if not exists vault;
      create table vault.subject_keys (
        subject_id text collate "C" primary key,
        wrapped bytea not null,
        created_at timestamptz not null default now(),
        master text collate "C",
        merged boolean not null default false
      );
      comment on column vault.subject_keys.merged is 'The subject ever took part in a merge. Nearly none did, and no stream of theirs has to be read to know that they are on their own.';
      create table vault.identifiers (
        site text collate "C" not null,
        env text collate "C" not null,
        digest bytea not null,
        subject_id text collate "C" not null,
        identifier_id text collate "C" not null,
        kind text collate "C" not null,
        sealed bytea not null,
        created_at timestamptz not null default now(),
        primary key (site, env, digest)
      );
      create index identifiers_of_subject on vault.identifiers (subject_id);
      create table vault.sealed_secrets (
        name text collate "C" primary key,
        sealed bytea not null,
        created_at timestamptz not null default now(),
        master text collate "C"
      );
      create table vault.master_keys (
        id text collate "C" primary key,
        carried bytea not null,
        begun_at timestamptz not null default now(),
        finished_at timestamptz
      );
      comment on column vault.master_keys.carried is 'What the key took over from the one before it, sealed with it.';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop schema vault cascade');
  }
}
