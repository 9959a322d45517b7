import type { MigrationInterface, QueryRunner } from 'typeorm';
import { WEBHOOKS } from './webhooks-progress.js';

/**
 * Webhooks: which events are sent, to which endpoint, and how it went. One writer fills `event` and `endpoint` from the
 * log and has a checkpoint among those of the read models. Open deliveries stand in `deliveries.delivery`.
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
create table webhooks.scope (
  number int primary key generated always as identity,
  site text collate "C" not null,
  env text collate "C" not null,
  unique (site, env)
);
create table webhooks.kind (
  number int primary key generated always as identity,
  types text[] collate "C" not null unique
);
comment on table webhooks.kind is 'As which webhook events an event of the log is announced: the first type has place 0. Null: the type of this place does not announce it.';
create table webhooks.event (
  position bigint not null,
  recorded_at timestamptz not null,
  scope int not null,
  kind int not null,
  primary key (scope, position)
);
comment on table webhooks.event is 'Every event of the log that webhooks announce in a site and environment, some 80 bytes each. Bodies are made of the event itself, see libs/webhooks/webhook-events.ts. A sequence is 16 times the position, and the place of the type.';
create view webhooks.announced as
select s.site, s.env, e.position, e.recorded_at, e.position * 16 + a.n - 1 as sequence, a.type
from webhooks.event e join webhooks.scope s on s.number = e.scope join webhooks.kind k on k.number = e.kind
cross join lateral unnest(k.types) with ordinality as a(type, n) where a.type is not null;
comment on view webhooks.announced is 'Every webhook event. Look for one by site, env, position and sequence.';
create function webhooks.last_position(site text, env text) returns bigint language sql stable as $$
  select e.position from webhooks.event e
  where e.scope = (select s.number from webhooks.scope s where s.site = $1 and s.env = $2) order by e.position desc limit 1
$$;
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
comment on table webhooks.endpoint is 'Receivers of events. url and secrets are sealed, as in the log. enqueued_through: the sequence up to which deliveries were made for it. gone_at: when its receiver answered that it is gone for good.';
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
comment on table webhooks.replay is 'Stretches that an endpoint is sent again, beside what is new. types: null means those of the endpoint. cursor: the sequence up to which deliveries were made.';
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
