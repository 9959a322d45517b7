import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * When each source of vendor lists was last asked and is due again, so that one process at a time asks a source and no
 * more often than the source allows. The log decides which list is in use, not this table.
 */
export class CreateVendorListSources1763860000001 implements MigrationInterface {
  name = 'CreateVendorListSources1763860000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table write.vendor_list_source (
        name text collate "C" primary key,
        due_at timestamptz not null default '-infinity',
        etag text,
        last_modified text,
        looked_at timestamptz,
        fresh_until timestamptz,
        refused text,
        failed text,
        failures integer not null default 0
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table write.vendor_list_source');
  }
}
