import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Beside the key of a subject stands whether it ever took part in a merge. Nearly none did, and nobody has to read the
 * stream of those to know that they are on their own.
 */
export class NoteMergedSubjects1763800000001 implements MigrationInterface {
  name = 'NoteMergedSubjects1763800000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table vault.subject_keys add column merged boolean not null default false;
      update vault.subject_keys set merged = true
        where subject_id in (select unnest(subjects) from write.subject_work where kind = 'merge');
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table vault.subject_keys drop column merged');
  }
}
