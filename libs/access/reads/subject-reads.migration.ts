import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The access log: which reader read which subject. One row for all reads of an hour by one reader through one
 * operation. Ids are pseudonyms: after an erasure the rows lead to no person. Whole hours are found and deleted by the
 * small index of blocks, which costs a write next to nothing; a second tree would cost as much as the row.
 */
export class CreateSubjectReads1763815000001 implements MigrationInterface {
  name = 'CreateSubjectReads1763815000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table write.subject_reads (
        subject_id text collate "C" not null,
        hour timestamptz not null,
        reader text collate "C" not null,
        operation text collate "C" not null,
        site text collate "C" not null,
        env text collate "C" not null,
        reads bigint not null,
        first_at timestamptz not null,
        last_at timestamptz not null,
        primary key (subject_id, hour, reader, operation)
      ) with (fillfactor = 80);
      create index subject_reads_hour on write.subject_reads using brin (hour) with (autosummarize = on);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table write.subject_reads');
  }
}
