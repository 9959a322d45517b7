import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Folded states of long streams. Everything in it can be deleted at any time: the log has it all. */
export class CreateSnapshots1763785000001 implements MigrationInterface {
  name = 'CreateSnapshots1763785000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create schema snapshot;
      create table snapshot.streams (
        stream text collate "C" not null,
        fold text collate "C" not null,
        version text collate "C" not null,
        revision bigint not null,
        position bigint not null,
        last_folded bigint not null,
        recorded_through text collate "C" not null,
        given_through text collate "C" not null,
        state text not null,
        taken_at timestamptz not null default now(),
        primary key (stream, fold, version, revision)
      );
      create index streams_by_fold on snapshot.streams (fold, version);
      create index streams_by_last_name on snapshot.streams ((split_part(stream, '.', 3)));
      comment on table snapshot.streams is 'Folded states of long streams, so that not all of a stream is read each time. Can be emptied at any time.';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop schema snapshot cascade');
  }
}
