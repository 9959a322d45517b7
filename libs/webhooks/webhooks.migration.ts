import type { MigrationInterface, QueryRunner } from 'typeorm';
import { WEBHOOKS } from './webhooks-progress.js';

/**
 * Webhooks: what is told, to whom, and how it went. One writer fills `event` and `endpoint` from the log and has a
 * checkpoint among those of the read models. What is being delivered stands in `deliveries.delivery`.
 */
export class CreateWebhooks1763840000001 implements MigrationInterface {
  name = 'CreateWebhooks1763840000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
    await runner.query(`insert into projection.generations (name, version, live) values ('${WEBHOOKS}', 1, true)`);
    await runner.query(`insert into projection.shards (name, version, rebuild) values ('${WEBHOOKS}', 1, 0)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`delete from projection.generations where name = '${WEBHOOKS}'; drop schema webhooks cascade`);
  }
}

const TABLES = `
create schema if not exists webhooks;
create table webhooks.event (
  site text collate "C" not null,
  env text collate "C" not null,
  sequence bigint not null,
  id text collate "C" not null,
  type text collate "C" not null,
  subject_id text collate "C",
  endpoint text collate "C",
  body text not null,
  primary key (site, env, sequence)
);
comment on table webhooks.event is 'Every webhook event, in the order of its sequence. body is what is sent and signed, in UTF-8: kept, so that a later release never changes it. endpoint: only this one is told.';
create table webhooks.applied (
  one boolean primary key default true check (one),
  through bigint not null
);
insert into webhooks.applied (through) values (-1);
comment on table webhooks.applied is 'Up to which position of the log these tables hold what happened, whatever the checkpoint says: a restore brings them back without it.';
create table webhooks.endpoint (
  id text collate "C" primary key,
  site text collate "C" not null,
  env text collate "C" not null,
  state text collate "C" not null default 'ENABLED' check (state in ('ENABLED', 'PAUSED', 'DISABLED')),
  disabled_reason text collate "C" check (disabled_reason in ('GONE', 'FAILING')),
  url text not null,
  types text[] not null,
  description text,
  include_identifiers boolean not null,
  secret text not null,
  previous_secret text,
  previous_until timestamptz,
  created_at timestamptz not null,
  created_by text collate "C" not null,
  changed_at timestamptz not null,
  enqueued_through bigint not null,
  failing_since timestamptz,
  consecutive_failures int not null default 0,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  gone_at timestamptz
);
create index endpoint_of_site on webhooks.endpoint (site, env, id);
comment on table webhooks.endpoint is 'Who is told. url and secrets are sealed, as in the log. enqueued_through: the sequence up to which deliveries were made for it. gone_at: when its receiver answered that it is gone for good.';
create table webhooks.replay (
  id text collate "C" primary key,
  endpoint text collate "C" not null references webhooks.endpoint (id) on delete cascade,
  from_sequence bigint not null,
  through_sequence bigint not null,
  types text[],
  cursor bigint not null,
  requested_at timestamptz not null,
  finished_at timestamptz
);
create index replay_of_endpoint on webhooks.replay (endpoint);
create index replay_open on webhooks.replay (requested_at) where finished_at is null;
comment on table webhooks.replay is 'Stretches that an endpoint is told again, beside what is new. types: null means those of the endpoint. cursor: the sequence up to which deliveries were made.';
create table webhooks.attempt (
  delivery bigint not null references deliveries.delivery (id) on delete cascade,
  number int not null,
  at timestamptz not null,
  duration_ms int not null,
  status int,
  reason text collate "C",
  answer bytea,
  next_at timestamptz,
  primary key (delivery, number)
);
comment on table webhooks.attempt is 'Each attempt at a delivery. answer: its first bytes, sealed under the key of the subject. Pruned with the delivery.';
`;
