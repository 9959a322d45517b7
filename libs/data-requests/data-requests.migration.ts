import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Which requests a subject has, and under which keys they were opened: ids and digests only. The streams tell the rest,
 * and are asked whether an id came to stand at all.
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
      comment on table write.data_request is 'Written before the first event of a request. is_newest: the one of its subject and type that may be open; a second one cannot be made beside it. subject_erased: nobody is left to answer, and it may still be open.';
      create unique index data_request_newest on write.data_request (site, env, subject_id, type) where is_newest;
      create index data_request_of_subject on write.data_request (subject_id);
      create index data_request_of_nobody on write.data_request (subject_id) where subject_erased;
      create table write.data_request_key (
        key text collate "C" primary key,
        request_id text collate "C" not null
      );
      comment on table write.data_request_key is 'Digest of the Idempotency-Key that a request was opened under. The stream of the request tells whether it was.';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table write.data_request_key; drop table write.data_request');
  }
}
