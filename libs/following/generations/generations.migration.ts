import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A generation says who builds it and what for; its checkpoint is one row per shard, each with one owner at a time.
 * `projection.checkpoints` stays readable as it was: one row per generation, at the smallest position of its shards.
 * It cannot be written any more, so a projector of a release before this one waits instead of writing past an owner.
 */
export class ShardProjections1763780000001 implements MigrationInterface {
  name = 'ShardProjections1763780000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(GENERATIONS);
    await runner.query(SHARDS);
    await runner.query(VIEW);
    await runner.query(SKIPPED);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table projection.skipped_events;
      drop view projection.checkpoints;
      create table projection.checkpoints as
        select name, version, rebuild, min(position) as position, now() as updated_at, 'running'::text as status,
               null::text as error, null::bigint as poison_position, bool_or(live) as live
        from projection.shards join projection.generations using (name, version, rebuild) group by 1, 2, 3;
      alter table projection.checkpoints
        add primary key (name, version, rebuild),
        alter position set default -1, alter position set not null, alter rebuild set default 0,
        alter updated_at set default now(), alter status set default 'running', alter live set default false;
      create unique index one_live_generation on projection.checkpoints (name) where live;
      drop table projection.shards;
      drop table projection.generations;
    `);
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
insert into projection.generations (name, version, rebuild, live) select name, version, rebuild, live from projection.checkpoints;
`;

const SHARDS = `
alter table projection.checkpoints rename to shards;
drop index projection.one_live_generation;
alter table projection.shards
  drop constraint checkpoints_pkey,
  drop constraint poison_has_a_place,
  drop constraint checkpoints_status_check,
  drop column live,
  add column shard integer not null default 0,
  add column shards integer not null default 1,
  add column owner text,
  add column owned_until timestamptz,
  add column held_at bigint;
alter table projection.shards
  add primary key (name, version, rebuild, shard),
  add foreign key (name, version, rebuild) references projection.generations on delete cascade,
  add constraint a_known_status check (status in ('running', 'awaiting', 'stopped')),
  add constraint what_waits_has_a_place check ((status = 'running') = (poison_position is null)),
  add constraint a_shard_of_these check (shard >= 0 and shard < shards);
comment on table projection.shards is 'The checkpoint of each shard of each generation. All rows of a generation have the same number of shards.';
comment on column projection.shards.status is 'awaiting: a release that does not know the event at poison_position stepped aside for a newer one.';
comment on column projection.shards.error is 'Kind of error and type of event; never data.';
comment on column projection.shards.owner is 'Who may move this checkpoint until owned_until; then anybody may take it over.';
comment on column projection.shards.held_at is 'Not past this position, until all shards are there and can be split anew.';
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
  primary key (projection, position)
);
comment on table projection.skipped_events is 'Events that an operator leaves out of a projection, for good. The log has each as ProjectionSkipped.';
`;
