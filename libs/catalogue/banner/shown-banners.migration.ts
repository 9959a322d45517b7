import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateShownBanners1763830000001 implements MigrationInterface {
  name = 'CreateShownBanners1763830000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create schema if not exists write;
      create table write.shown_banners (
        site text collate "C" not null,
        env text collate "C" not null,
        purpose text collate "C" not null,
        day date not null,
        -- Of the policy that was shown; empty where the place is not known.
        country text collate "C" not null,
        region text collate "C" not null,
        locale text collate "C" not null,
        banner_version integer not null,
        shown bigint not null,
        primary key (site, env, purpose, day, country, region, locale, banner_version)
      ) with (fillfactor = 70);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table write.shown_banners');
  }
}
