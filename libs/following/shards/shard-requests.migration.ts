import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A process with less than its share of the shards asks for one that another owns. Processes of a release before this one ask for none. */
export class RequestShards1763795000001 implements MigrationInterface {
  name = 'RequestShards1763795000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table projection.shards add column wanted_by text, add column wanted_until timestamptz;
      comment on column projection.shards.wanted_by is 'The process that asks its owner for this shard; until wanted_until nobody else takes it when it is free.';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table projection.shards drop column wanted_by, drop column wanted_until');
  }
}
