import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds reads by who read, newest first: those of one reader, and those of all operators. */
export class IndexReadsByReader1763940000001 implements MigrationInterface {
  name = 'IndexReadsByReader1763940000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create index subject_reads_reader on write.subject_reads (site, env, reader, hour, subject_id, operation);
      create index subject_reads_operators on write.subject_reads (site, env, hour, subject_id, reader, operation)
        where reader like 'operator:%';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index write.subject_reads_reader; drop index write.subject_reads_operators');
  }
}
