import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A tree that would come to another root than was signed stops by itself, and the trees of others go on. */
export class PartTrees1763845000001 implements MigrationInterface {
  name = 'PartTrees1763845000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table ledger.trees add column parted_at bigint;
      comment on column ledger.trees.parted_at is 'A size that was signed with another root than the log leads to; null: none. Such a tree does not grow.';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table ledger.trees drop column parted_at');
  }
}
