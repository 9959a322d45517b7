import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Deliveries are claimed endpoint by endpoint, so that one with many rows costs the others nothing. */
export class ClaimByEndpoint1763835000001 implements MigrationInterface {
  name = 'ClaimByEndpoint1763835000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index deliveries.delivery_due;
      create index delivery_ready on deliveries.delivery (channel, endpoint, due_at, id) where finished_at is null;
      -- No two indexes begin alike. While a table is young they all look the same to Postgres: to find the head of a line
      -- it read every row of the endpoint for each row that it looked at (600 ms for 1,000).
      drop index deliveries.delivery_line;
      create index delivery_line on deliveries.delivery (subject_id, (channel || ' ' || endpoint), id) where finished_at is null;
      create index delivery_listed on deliveries.delivery ((channel || ' ' || endpoint), (-id));
      alter table deliveries.delivery add constraint delivery_once unique (key, endpoint, channel);
      alter table deliveries.delivery drop constraint delivery_channel_endpoint_key_key;
      alter table deliveries.delivery add column sequence bigint;
      comment on column deliveries.delivery.sequence is 'Where its content stands, of a channel that keeps it elsewhere.';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table deliveries.delivery add unique (channel, endpoint, key);
      alter table deliveries.delivery drop constraint delivery_once;
      drop index deliveries.delivery_listed;
      drop index deliveries.delivery_line;
      create index delivery_line on deliveries.delivery (subject_id, channel, endpoint, id) where finished_at is null;
      drop index deliveries.delivery_ready;
      create index delivery_due on deliveries.delivery (channel, due_at, id) where finished_at is null;
      alter table deliveries.delivery drop column sequence;
    `);
  }
}
