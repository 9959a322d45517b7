import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Codes that are used or over say no more what they were for; those that are still to be blanked are found by an index. */
export class BlankCodes1763910000001 implements MigrationInterface {
  name = 'BlankCodes1763910000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      update portal.code set sealed = '' where used_at is not null or expires_at <= now();
      create index code_to_blank on portal.code (expires_at) where sealed <> '';
      comment on table portal.code is 'One row for each code that was mailed, for a day. Address and code are keyed digests; what the code is for is sealed with the master key, and empty once the code is used or over.';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index portal.code_to_blank');
  }
}
