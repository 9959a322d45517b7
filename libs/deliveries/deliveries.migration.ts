import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Webhooks and mails that are to be sent, and what became of them. Nothing personal stands in a clear column: the caller
 * that enqueues a payload has sealed it; keys and endpoints are ids.
 */
export class CreateDeliveries1763750000001 implements MigrationInterface {
  name = 'CreateDeliveries1763750000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create schema if not exists deliveries;
      create table deliveries.delivery (
        id bigint generated always as identity primary key,
        channel text collate "C" not null,
        endpoint text collate "C" not null,
        key text collate "C" not null,
        site text collate "C" not null,
        env text collate "C" not null,
        subject_id text collate "C",
        payload bytea,
        attempts int not null default 0,
        -- Of a row that is being delivered: when its lease runs out.
        due_at timestamptz not null default now(),
        give_up_at timestamptz,
        lease uuid,
        last_reason text collate "C",
        -- Decided; stands before it was reported, so that what was delivered is not delivered again for the report.
        outcome jsonb,
        settled_at timestamptz,
        created_at timestamptz not null default now(),
        finished_at timestamptz,
        sequence bigint,
        constraint delivery_once unique (key, endpoint, channel),
        check (payload is null or outcome is null)
      );
      -- Deliveries are claimed endpoint by endpoint, so that one with many rows costs the others nothing.
      create index delivery_ready on deliveries.delivery (channel, endpoint, due_at, id) where finished_at is null;
      -- No two indexes begin alike. While a table is young they all look the same to Postgres: to find the head of a line
      -- it read every row of the endpoint for each row that it looked at (600 ms for 1,000).
      create index delivery_line on deliveries.delivery (subject_id, (channel || ' ' || endpoint), id) where finished_at is null;
      create index delivery_listed on deliveries.delivery ((channel || ' ' || endpoint), (-id));
      create index delivery_finished on deliveries.delivery (finished_at) where finished_at is not null;
      comment on column deliveries.delivery.sequence is 'Where its content stands, of a channel that keeps it elsewhere.';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop schema deliveries cascade');
  }
}
