import type { MigrationInterface, QueryRunner } from 'typeorm';
import { LEDGER } from './trees.js';

/**
 * The ledger: the entry of each event, the tiles above, the right edge of each tree, and every checkpoint that was ever
 * signed. Its writer has a checkpoint of its own among those of the read models.
 */
export class CreateLedger1763820000001 implements MigrationInterface {
  name = 'CreateLedger1763820000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
    await runner.query(`insert into projection.generations (name, version, live) values ('${LEDGER}', 1, true)`);
    await runner.query(`insert into projection.shards (name, version, rebuild) values ('${LEDGER}', 1, 0)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`delete from projection.generations where name = '${LEDGER}'; drop schema ledger cascade`);
  }
}

// Hashes do not shrink: external storage spares the try.
const TABLES = `
create schema if not exists ledger;
create table ledger.trees (
  site text collate "C" not null,
  env text collate "C" not null,
  size bigint not null,
  edge bytea not null,
  parted_at bigint,
  primary key (site, env)
);
comment on table ledger.trees is 'How many leaves each tree has, and the roots of the perfect subtrees that it is made of, the largest first.';
comment on column ledger.trees.parted_at is 'A size that was signed with another root than the log leads to; null: none. Such a tree does not grow.';
create table ledger.bundles (
  site text collate "C" not null,
  env text collate "C" not null,
  number integer not null,
  first_position bigint not null,
  entries bytea not null,
  positions bytea not null,
  primary key (site, env, number)
);
alter table ledger.bundles alter entries set storage external, alter positions set storage external;
create index bundles_by_position on ledger.bundles (site, env, first_position);
comment on table ledger.bundles is '256 leaves in a row: 32 bytes of each, and 8 bytes of its position in the log. Only the last row of a tree still grows. What stands for an event whose subject was erased cannot be made again: this table belongs into every backup.';
create table ledger.tiles (
  site text collate "C" not null,
  env text collate "C" not null,
  level integer not null check (level > 0),
  number integer not null,
  hashes bytea not null,
  primary key (site, env, level, number)
);
alter table ledger.tiles alter hashes set storage external;
comment on table ledger.tiles is 'Tiles of C2SP tlog-tiles above the leaves, whose own follow from ledger.bundles. Only the last row of a level still grows.';
create table ledger.checkpoints (
  site text collate "C" not null,
  env text collate "C" not null,
  size bigint not null,
  root bytea not null,
  kid text collate "C" not null,
  note text not null,
  signed_at timestamptz not null default now(),
  primary key (site, env, size, kid)
);
comment on table ledger.checkpoints is 'Every checkpoint that was ever signed. None is ever changed or removed.';
create table ledger.former (like ledger.bundles including all);
comment on table ledger.former is 'The bundles that are being built anew, until they are: of subjects that were erased what stands there is taken over.';
`;
