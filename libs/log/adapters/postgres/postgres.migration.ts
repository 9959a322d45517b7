import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The event log in Postgres. Text, not json(b), holds events: what was appended comes back byte for byte, with members
 * in their order and with escaped NULs, which jsonb refuses.
 */
export class CreateEventLog1700000000001 implements MigrationInterface {
  name = 'CreateEventLog1700000000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLE);
    await runner.query(APPEND_ONLY);
    await runner.query(APPEND);
    await runner.query(TOMBSTONE);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop schema log cascade');
  }
}

const TABLE = `
create schema if not exists log;
create table log.events (
  position bigint primary key,
  stream text collate "C" not null,
  revision bigint not null,
  id uuid not null,
  type text collate "C" not null,
  data text not null,
  metadata text not null,
  recorded_at timestamptz not null default clock_timestamp(),
  constraint events_stream_revision unique (stream, revision)
);
comment on table log.events is 'What happened. Positions are dense and in commit order; nothing is ever changed or removed, except by log.tombstone.';
`;

// The setting alone opens nothing: a session that sets it can only turn the rows of one stream into tombstones.
const APPEND_ONLY = `
create function log.refuse_removal() returns trigger language plpgsql as $$
begin
  raise exception 'log.events is append-only: % is not possible; use log.tombstone(stream)', lower(tg_op)
    using errcode = 'integrity_constraint_violation';
end $$;
create trigger events_are_never_removed before delete or truncate on log.events
  for each statement execute function log.refuse_removal();

create function log.only_tombstone() returns trigger language plpgsql as $$
begin
  if new.stream = current_setting('log.tombstone', true)
     and (new.position, new.stream, new.revision, new.recorded_at) = (old.position, old.stream, old.revision, old.recorded_at)
     and (new.id, new.type, new.data, new.metadata) = ('00000000-0000-0000-0000-000000000000', '$tombstone', '', '') then
    return new;
  end if;
  raise exception 'log.events is append-only: update is not possible; use log.tombstone(stream)'
    using errcode = 'integrity_constraint_violation';
end $$;
create trigger events_are_never_changed before update on log.events
  for each row execute function log.only_tombstone();
`;

/*
 * One call writes one group of appends, each to another stream. The advisory lock is held until the commit is visible,
 * so positions are in commit order and no reader can see one while a lower one is still to come. Every statement of
 * the function takes its own snapshot (read committed), so what follows the lock sees the last group of every rival.
 * Arrays of events are flat; \`counts\` says how many belong to each append. A conflicting append answers without
 * writing and without touching the others. The notification only wakes readers up. Who waits for the lock longer than
 * the callers do gives up, so that the callers learn that nothing was written.
 */
const APPEND = `
create function log.append(streams text[], expected bigint[], counts int[], ids uuid[], types text[], datas text[], metadatas text[], patience_ms int)
returns table (outcome text, revision bigint, at_position bigint)
language plpgsql as $$
#variable_conflict use_column
declare
  base bigint;
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'log.append needs read committed: an older snapshot would number positions twice';
  end if;
  perform set_config('lock_timeout', patience_ms::text, true);
  perform pg_advisory_xact_lock(4710, 1);
  select coalesce(max(e.position), -1) into base from log.events e;
  return query
  with asked as materialized (
    select a.n, a.stream, a.expected, a.count, sum(a.count) over (order by a.n) - a.count as first,
           coalesce(head.revision, -1) as head, coalesce(head.type = '$tombstone', false) as ended
    from unnest(streams, expected, counts) with ordinality as a(stream, expected, count, n)
    left join lateral (select e.revision, e.type from log.events e where e.stream = a.stream order by e.revision desc limit 1) head on true
  ),
  accepted as materialized (
    select k.*, sum(k.count) over (order by k.n) - k.count as before from asked k where not k.ended and k.head = k.expected
  ),
  written as (
    insert into log.events (position, stream, revision, id, type, data, metadata)
    select base + 1 + k.before + i, k.stream, k.expected + 1 + i, ids[k.first + 1 + i], types[k.first + 1 + i], datas[k.first + 1 + i], metadatas[k.first + 1 + i]
    from accepted k cross join lateral generate_series(0, k.count - 1) as i
    returning 1
  ),
  woken as (select pg_notify('assent_log', '') where exists (select from accepted))
  select case when k.ended then 'deleted' when w.n is not null then 'appended' when again.position is not null then 'already' else 'conflict' end,
         case when w.n is not null or again.position is not null then k.expected + k.count else k.head end,
         coalesce(base + w.before + w.count, again.position)
  from asked k
  left join accepted w on w.n = k.n
  left join lateral (
    select max(e.position) as position from log.events e
    where w.n is null and not k.ended and k.expected < k.head and e.stream = k.stream and e.revision > k.expected and e.revision <= k.expected + k.count
    having array_agg(e.id order by e.revision) = ids[k.first + 1 : k.first + k.count]
  ) again on true
  cross join (select count(*) from written) as all_written
  cross join (select count(*) from woken) as all_woken
  order by k.n;
end $$;
`;

/*
 * Retention: the stream keeps its name, revisions and positions (readers rely on their density), and nothing of what
 * happened. The old rows leave the disk with the next vacuum. A stream that never was gets one marker, so that it
 * stays ended as well.
 */
const TOMBSTONE = `
create function log.tombstone(ended text) returns void
language plpgsql set lock_timeout = '1200ms' as $$
begin
  perform pg_advisory_xact_lock(4710, 1);
  perform set_config('log.tombstone', ended, true);
  update log.events set id = '00000000-0000-0000-0000-000000000000', type = '$tombstone', data = '', metadata = ''
    where stream = ended and type <> '$tombstone';
  if not found and not exists (select from log.events where stream = ended) then
    insert into log.events (position, stream, revision, id, type, data, metadata)
    select coalesce(max(position), -1) + 1, ended, 0, '00000000-0000-0000-0000-000000000000', '$tombstone', '', '' from log.events;
  end if;
  perform set_config('log.tombstone', '', true);
end $$;
`;
