import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Where every projection stands. The tables themselves are made by generations, as they are declared. */
export class CreateProjections1700000000002 implements MigrationInterface {
  name = 'CreateProjections1700000000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create schema if not exists projection;
      create schema if not exists read;
      create table projection.checkpoints (
        name text collate "C" not null,
        version integer not null,
        rebuild integer not null default 0,
        position bigint not null default -1,
        updated_at timestamptz not null default now(),
        status text not null default 'running' check (status in ('running', 'stopped')),
        error text,
        poison_position bigint,
        live boolean not null default false,
        primary key (name, version, rebuild),
        constraint poison_has_a_place check ((status = 'stopped') = (poison_position is not null))
      );
      create unique index one_live_generation on projection.checkpoints (name) where live;
      comment on column projection.checkpoints.rebuild is 'How often this version was built anew beside the one that was live.';
      comment on column projection.checkpoints.live is 'Whether the view read.<name> shows this generation.';
      comment on column projection.checkpoints.error is 'Kind of error and type of event; never data.';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop schema projection cascade; drop schema read cascade');
  }
}
