import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateCompletionLeases1763900000001 implements MigrationInterface {
  name = 'CreateCompletionLeases1763900000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table write.data_request_lease (
        request_id text collate "C" primary key,
        owner uuid not null,
        leased_until timestamptz not null
      );
      comment on table write.data_request_lease is 'Who is completing a request right now, and until when that stands unless it is renewed. A row goes with the end of the work; one whose time ran out is of somebody who died.';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table write.data_request_lease');
  }
}
