import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Where every projection stands. The tables of the projections themselves are made by generations, as they are declared.
 * A generation says who builds it and what for; its checkpoint is one row per shard, each with one owner at a time.
 */
export class CreateProjections1700000000002 implements MigrationInterface {
  name = 'CreateProjections1700000000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create schema if not exists projection; create schema if not exists read');
    await runner.query(GENERATIONS);
    await runner.query(SHARDS);
    await runner.query(VIEW);
    await runner.query(SKIPPED);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop schema projection cascade; drop schema read cascade');
  }
}

const GENERATIONS = `
create table projection.generations (
  name text collate "C" not null,
  version integer not null,
  rebuild integer not null default 0,
  live boolean not null default false,
  wanted_shards integer not null default 1 check (wanted_shards between 1 and 64),
  builder text,
  builder_seen_at timestamptz,
  made_at timestamptz not null default now(),
  primary key (name, version, rebuild),
  constraint a_builder_was_seen check ((builder is null) = (builder_seen_at is null))
);
create unique index one_live_generation_of_a_name on projection.generations (name) where live;
comment on column projection.generations.rebuild is 'How often this version was built anew beside the one that was live.';
comment on column projection.generations.live is 'Whether the view read.<name> shows this generation.';
comment on column projection.generations.builder is 'The command that builds it and that alone may switch to it; null: every process that serves the projection may.';
`;

const SHARDS = `
create table projection.shards (
  name text collate "C" not null,
  version integer not null,
  rebuild integer not null default 0,
  shard integer not null default 0,
  shards integer not null default 1,
  position bigint not null default -1,
  updated_at timestamptz not null default now(),
  status text not null default 'running',
  error text,
  poison_position bigint,
  owner text,
  owned_until timestamptz,
  held_at bigint,
  wanted_by text,
  wanted_until timestamptz,
  primary key (name, version, rebuild, shard),
  foreign key (name, version, rebuild) references projection.generations on delete cascade,
  constraint a_known_status check (status in ('running', 'awaiting', 'stopped')),
  constraint what_waits_has_a_place check ((status = 'running') = (poison_position is null)),
  constraint a_shard_of_these check (shard >= 0 and shard < shards)
);
comment on table projection.shards is 'The checkpoint of each shard of each generation. All rows of a generation have the same number of shards.';
comment on column projection.shards.status is 'awaiting: a release that does not know the event at poison_position stepped aside for a newer one.';
comment on column projection.shards.error is 'Kind of error and type of event; never data.';
comment on column projection.shards.owner is 'The process that may move this checkpoint until owned_until; then any process may take it over.';
comment on column projection.shards.held_at is 'Not past this position, until all shards are there and can be split anew.';
comment on column projection.shards.wanted_by is 'The process that asks its owner for this shard; until wanted_until no other process takes it when it is free.';
`;

const VIEW = `
create view projection.checkpoints as
select g.name, g.version, g.rebuild, min(s.position) as position, max(s.updated_at) as updated_at,
       case when bool_or(s.status = 'stopped') then 'stopped' when bool_or(s.status = 'awaiting') then 'awaiting' else 'running' end as status,
       min(s.error) as error, min(s.poison_position) as poison_position, g.live
from projection.generations g join projection.shards s using (name, version, rebuild)
group by g.name, g.version, g.rebuild;
comment on view projection.checkpoints is 'How far each generation is: the smallest position of its shards.';
`;

const SKIPPED = `
create table projection.skipped_events (
  projection text collate "C" not null,
  position bigint not null,
  stream text collate "C",
  revision bigint,
  type text collate "C",
  skipped_by text,
  skipped_at timestamptz not null default now(),
  everywhere boolean not null default false,
  primary key (projection, position)
);
comment on table projection.skipped_events is 'Events that operators leave out for good. The log has each as ProjectionSkipped.';
comment on column projection.skipped_events.everywhere is 'The event itself cannot be read or must not count: every reader of the log leaves it out.';
`;
