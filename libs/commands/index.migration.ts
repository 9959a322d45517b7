import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A power of two, so that each can be split evenly. */
const PARTITIONS = 16;

/**
 * The reservations become an index of the keys in the log: in partitions, kept for ever, each
 * row naming the subjects that its request was about. An erased subject is one row of its own, at which
 * a repeat looks, so that an erasure need not visit the keys of its subject.
 *
 * The rows are copied while others go on writing (100,000 rows take about a second, by the server alone). Only what
 * changed meanwhile is copied under a lock. Which subject a row is about stands in the log: where that is in
 * Postgres, it is looked up here.
 */
export class IndexIdempotencyKeys1763790000001 implements MigrationInterface {
  name = 'IndexIdempotencyKeys1763790000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table write.erased_subjects (
        subject_id text collate "C" primary key,
        erased_at timestamptz not null default now()
      );
      create table write.idempotency_next (
        key bytea primary key,
        fingerprint bytea not null,
        owner uuid not null,
        leased_until timestamptz not null,
        subjects text[] not null default '{}',
        reserved_at timestamptz not null default now()
      ) partition by hash (key);
      comment on table write.idempotency_next is 'Which Idempotency-Keys the log holds, and who is at work under them.';
      comment on column write.idempotency_next.fingerprint is 'Of the request.';
      comment on column write.idempotency_next.subjects is 'The subjects that the request is about, in the order in which it names them.';
      insert into write.erased_subjects (subject_id)
        select distinct split_part(stream, '.', 3) from log.events where type = 'SubjectErased' and stream like 'subject-%'
        union select 'unknown';
    `);
    for (let part = 0; part < PARTITIONS; part++)
      await runner.query(
        `create table write.idempotency_${part} partition of write.idempotency_next for values with (modulus ${PARTITIONS}, remainder ${part})`,
      );
    await runner.query(COPY);
    await runner.query('lock table write.idempotency in share row exclusive mode');
    await runner.query(CATCH_UP);
    await runner.query(`
      drop table write.idempotency;
      alter table write.idempotency_next rename to idempotency;
      alter index write.idempotency_next_pkey rename to idempotency_pkey;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table write.idempotency_before (
        key bytea primary key,
        fingerprint bytea not null,
        owner uuid not null,
        leased_until timestamptz not null,
        created_at timestamptz not null default now()
      );
      insert into write.idempotency_before select key, fingerprint, owner, leased_until, reserved_at from write.idempotency;
      drop table write.idempotency;
      drop table write.erased_subjects;
      alter table write.idempotency_before rename to idempotency;
      alter index write.idempotency_before_pkey rename to idempotency_pkey;
    `);
  }
}

const COLUMNS = 'key, fingerprint, owner, leased_until, subjects, reserved_at';
/** A lease without an end was how a key was closed whose subject was erased. Which one that was may not be known. */
const CLOSED = `case when i.leased_until = 'infinity' then array['unknown'] else '{}' end`;
const WITH_SUBJECTS = `
  select i.key, i.fingerprint, i.owner, least(i.leased_until, now()), coalesce(e.subjects, ${CLOSED}), i.created_at
  from write.idempotency i left join (
    select decode(m.metadata ->> 'idempotencyKey', 'hex') as key, array_agg(distinct split_part(m.stream, '.', 3)) as subjects
    from (select stream, metadata::json as metadata from log.events where stream like 'subject-%' and metadata like '%"idempotencyKey"%') m
    group by 1
  ) e using (key)`;

const COPY = `insert into write.idempotency_next (${COLUMNS}) ${WITH_SUBJECTS}`;

/** What others wrote since the copy began: leases are seconds long, so that nothing older can have changed. */
const CATCH_UP = `
  insert into write.idempotency_next as n (${COLUMNS})
    select key, fingerprint, owner, least(leased_until, now() + interval '1 minute'), ${CLOSED}, created_at
    from write.idempotency i where leased_until > now() - interval '1 minute'
    on conflict (key) do update set owner = excluded.owner, leased_until = excluded.leased_until,
      subjects = case when excluded.subjects = '{}' then n.subjects else n.subjects || excluded.subjects end;
  delete from write.idempotency_next n
    where n.reserved_at > now() - interval '1 minute' and not exists (select 1 from write.idempotency i where i.key = n.key);
`;
