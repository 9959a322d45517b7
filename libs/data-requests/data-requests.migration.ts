import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Which requests a subject has and under which keys they were opened (ids and digests only: the streams hold the rest,
 * and decide whether an id came to stand at all), and the archives that wait to be fetched, sealed with the key of their
 * subject, with the links by which they are fetched.
 */
export class CreateDataRequests1763890000001 implements MigrationInterface {
  name = 'CreateDataRequests1763890000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table write.data_request (
        id text collate "C" primary key,
        site text collate "C" not null,
        env text collate "C" not null,
        subject_id text collate "C" not null,
        type text collate "C" not null,
        is_newest boolean not null default true,
        subject_erased boolean not null default false
      );
      comment on table write.data_request is 'Written before the first event of a request. is_newest: the one of its subject and type that may be open; a second one cannot be made beside it. subject_erased: its subject is gone, and it may still be open.';
      create unique index data_request_newest on write.data_request (site, env, subject_id, type) where is_newest;
      create index data_request_of_subject on write.data_request (subject_id);
      create index data_request_of_nobody on write.data_request (subject_id) where subject_erased;
      create table write.data_request_key (
        key text collate "C" primary key,
        request_id text collate "C" not null
      );
      comment on table write.data_request_key is 'Digest of the Idempotency-Key that a request was opened under. The stream of the request shows whether it was.';
      create table write.archive (
        request_id text collate "C" primary key,
        id text collate "C" not null unique,
        subject_id text collate "C" not null,
        language text collate "C" not null,
        sha256 text collate "C" not null,
        bytes bigint not null,
        chunks integer not null,
        made_at timestamptz not null default now()
      );
      comment on table write.archive is 'What a data request was answered with: one archive each, the first that was finished.';
      create index archive_of_subject on write.archive (subject_id);
      create index archive_age on write.archive (made_at);
      create table write.archive_chunk (
        archive text collate "C" not null,
        n integer not null,
        sealed bytea not null,
        made_at timestamptz not null default now(),
        primary key (archive, n)
      );
      comment on table write.archive_chunk is 'A piece of an archive, compressed and sealed with a key that follows from that of the subject: unreadable once the subject is erased.';
      alter table write.archive_chunk alter column sealed set storage external;
      create index archive_chunk_age on write.archive_chunk (made_at);
      create table write.archive_link (
        token_hash bytea primary key,
        site text collate "C" not null,
        env text collate "C" not null,
        request_id text collate "C" not null,
        expires_at timestamptz not null,
        used_at timestamptz
      );
      comment on table write.archive_link is 'SHA-256 of a token by which an archive is fetched once.';
      create index archive_link_of_request on write.archive_link (request_id);
      create index archive_link_expiry on write.archive_link (expires_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table write.archive_link;
      drop table write.archive_chunk;
      drop table write.archive;
      drop table write.data_request_key;
      drop table write.data_request;
    `);
  }
}
