import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How many partitions the index of keys has: a power of two, so that each can be split evenly. */
const PARTITIONS = 16;

export class CreateCommands1763700000002 implements MigrationInterface {
  name = 'CreateCommands1763700000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create schema if not exists write;
      create table write.erased_subjects (
        subject_id text collate "C" primary key,
        erased_at timestamptz not null default now()
      );
      create table write.idempotency (
        key bytea primary key,
        fingerprint bytea not null,
        owner uuid not null,
        leased_until timestamptz not null,
        subjects text[] not null default '{}',
        reserved_at timestamptz not null default now()
      ) partition by hash (key);
      comment on table write.idempotency is 'Which Idempotency-Keys the log holds, and which process is at work under them.';
      comment on column write.idempotency.fingerprint is 'Of the request.';
      comment on column write.idempotency.subjects is 'The subjects that the request is about, in the order in which it names them.';
      create table write.work (
        id text collate "C" primary key,
        kind text collate "C" not null,
        site text collate "C" not null,
        env text collate "C" not null,
        key text collate "C" unique,
        subjects text[] not null,
        begun_at timestamptz not null default now(),
        finished_at timestamptz,
        owner uuid,
        leased_until timestamptz
      );
      comment on table write.work is 'What takes several streams: merges, erasures, completions of data requests.';
      comment on column write.work.leased_until is 'Until when the owner alone goes on with it, unless the lease is renewed. Null: it needs no lease.';
      create index work_unfinished on write.work (begun_at) where finished_at is null;
    `);
    for (let part = 0; part < PARTITIONS; part++)
      await runner.query(
        `create table write.idempotency_${part} partition of write.idempotency for values with (modulus ${PARTITIONS}, remainder ${part})`,
      );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table write.work, write.idempotency, write.erased_subjects');
  }
}
