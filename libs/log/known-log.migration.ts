import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What the read side knows of the log that it was made from. Processes of an earlier release do not check it. Where the
 * log is in Postgres, the trigger keeps those processes from writing to an older copy.
 */
export class KnowLog1763812000001 implements MigrationInterface {
  name = 'KnowLog1763812000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table projection.known_log (
        is_only boolean primary key default true check (is_only),
        epoch uuid not null default gen_random_uuid(),
        stream text collate "C",
        revision bigint,
        position bigint,
        event_id text collate "C",
        recorded_at text collate "C",
        is_being_accepted boolean not null default false,
        constraint an_event_or_none check (num_nulls(stream, revision, position, event_id, recorded_at) in (0, 5))
      );
      comment on table projection.known_log is 'The event that the log last held, at most a second old: a log without it is another one, or an older copy.';
      comment on column projection.known_log.epoch is 'Another one whenever an operator accepts a log: processes then begin anew.';
      comment on column projection.known_log.is_being_accepted is 'An operator is accepting the log, which is recorded in it.';
      insert into projection.known_log default values;
    `);
    await runner.query(GOES_ON);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop trigger events_go_on on log.events;
      drop function log.ensure_goes_on();
      drop table projection.known_log;
    `);
  }
}

/** Once for each group of appends, which is one insert: two look-ups in indexes beside a commit. */
const GOES_ON = `
create function log.ensure_goes_on() returns trigger language plpgsql as $$
begin
  if coalesce((select max(position) from log.events), -1) < (select position from projection.known_log where not is_being_accepted) then
    raise exception 'log.events ends before an event that it is known to have held: it was restored from an older copy, or is another one'
      using errcode = 'object_not_in_prerequisite_state', hint = 'See assent log status.';
  end if;
  return null;
end $$;
create trigger events_go_on before insert on log.events for each statement execute function log.ensure_goes_on();
`;
