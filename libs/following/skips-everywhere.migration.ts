import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A skip says whether the event itself is left out, or only one projection leaves it out. */
export class SkipEverywhere1763797000001 implements MigrationInterface {
  name = 'SkipEverywhere1763797000001';

  async up(runner: QueryRunner): Promise<void> {
    // What was skipped before is set right from the log, by the next projector that starts.
    await runner.query(`
      alter table projection.skipped_events add column everywhere boolean not null default false;
      comment on column projection.skipped_events.everywhere is 'The event itself cannot be read or must not count: whoever reads the log leaves it out.';
      comment on table projection.skipped_events is 'Events that operators leave out for good. The log has each as ProjectionSkipped.';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table projection.skipped_events drop column everywhere');
  }
}
