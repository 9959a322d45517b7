import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Merges and erasures: several streams change in turn, and what is begun must be finished, whoever dies meanwhile. */
export class CreateSubjectWork1763760000001 implements MigrationInterface {
  name = 'CreateSubjectWork1763760000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table write.subject_work (
        id text collate "C" primary key,
        kind text collate "C" not null,
        site text collate "C" not null,
        env text collate "C" not null,
        key text collate "C" unique,
        subjects text[] not null,
        begun_at timestamptz not null default now(),
        finished_at timestamptz
      );
      create index subject_work_unfinished on write.subject_work (begun_at) where finished_at is null;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table write.subject_work');
  }
}
