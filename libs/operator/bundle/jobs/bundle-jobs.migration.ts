import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateBundleJobs1763920000002 implements MigrationInterface {
  name = 'CreateBundleJobs1763920000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table write.audit_bundle (
        id text collate "C" primary key,
        site text collate "C" not null,
        env text collate "C" not null,
        subject_id text collate "C",
        since timestamptz,
        through bigint,
        reads_until timestamptz,
        asked_by text collate "C" not null,
        asked_at timestamptz not null default now(),
        state text collate "C" not null default 'QUEUED',
        progress float8 not null default 0,
        attempt integer not null default 0,
        leased_until timestamptz,
        problem jsonb,
        made jsonb,
        finished_at timestamptz
      );
      comment on table write.audit_bundle is 'Archives for auditors that operators asked for over HTTP, made by a dispatcher under a lease. Kept for seven days.';
      create index audit_bundle_of_site on write.audit_bundle (site, env, asked_at);
      create index audit_bundle_open on write.audit_bundle (asked_at) where finished_at is null;
      create table write.audit_bundle_piece (
        bundle text collate "C" not null,
        attempt integer not null,
        n integer not null,
        content bytea not null,
        primary key (bundle, attempt, n)
      );
      alter table write.audit_bundle_piece alter column content set storage external;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table write.audit_bundle_piece; drop table write.audit_bundle');
  }
}
