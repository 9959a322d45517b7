import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Deliveries are claimed endpoint by endpoint, so that one with many rows costs the others nothing. */
export class ClaimByEndpoint1763835000001 implements MigrationInterface {
  name = 'ClaimByEndpoint1763835000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create index delivery_ready on deliveries.delivery (channel, endpoint, due_at, id) where finished_at is null;
      drop index deliveries.delivery_due;
      create index delivery_listed on deliveries.delivery (channel, endpoint, id);
      alter table deliveries.delivery add column sequence bigint;
      comment on column deliveries.delivery.sequence is 'Where its content stands, of a channel that keeps it elsewhere.';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create index delivery_due on deliveries.delivery (channel, due_at, id) where finished_at is null;
      drop index deliveries.delivery_ready;
      drop index deliveries.delivery_listed;
      alter table deliveries.delivery drop column sequence;
    `);
  }
}
