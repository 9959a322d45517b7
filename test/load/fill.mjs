/** The lock that everybody who appends to the log in Postgres holds; positions are dense because of it. */
const LOCK = 'select pg_advisory_xact_lock(4710, 1)';

/*
 * Events are stored again as they stand, sealed fields included: within one stream the same key opens them. What tells
 * them apart is replaced: ids, record ids, idempotency keys, and the times, which only rise along a stream.
 */
const AGAIN = (select) => `
  insert into log.events (position, stream, revision, id, type, data, metadata)
  select base + row_number() over (order by copy, stream, revision), stream, new_revision, gen_random_uuid(), type,
         regexp_replace(
           regexp_replace(data, '"recordId":"rec_\\w{26}"', '"recordId":"rec_' || upper(lpad(to_hex(copy), 8, '0') || left(md5(stream || revision), 18)) || '"'),
           '"(givenAt|recordedAt)":"[^"]*"', '"\\1":"' || at || '"', 'g'),
         regexp_replace(
           regexp_replace(metadata, '"idempotencyKey":"[^"]*"', '"idempotencyKey":"' || md5(stream || revision) || md5(copy::text) || '"'),
           '"recordedAt":"[^"]*"', '"recordedAt":"' || at || '"')
  from (${select}) as wanted`;
const HEAD = '(select max(position) from log.events) as base';
/** A moment so many minutes ago. */
const AGO = (minutes) =>
  `to_char((now() - ${minutes} * interval '1 minute') at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * Makes each of these streams `length` events long by storing the events it has again and again, all streams side by
 * side. Every stream has the same number of events when it begins, of which `length` is a multiple. The last copy is
 * said to have happened now, each one before it a minute earlier: what looks for events of about one time finds few.
 */
export async function lengthen(database, streams, length) {
  const [{ n }] = await database.query('select count(*)::int as n from log.events where stream = $1', [streams[0]]);
  const copies = length / n - 1;
  const among = `stream in (${streams.map((stream) => `'${stream}'`).join()})`;
  const earlier = (column) =>
    `${column} = regexp_replace(${column}, '"(givenAt|recordedAt)":"[^"]*"', '"\\1":"' || ${AGO(copies)} || '"', 'g')`;
  // The log refuses changes to all but who turns its triggers off.
  await inLog(
    database,
    `set local session_replication_role = replica; update log.events set ${earlier('data')}, ${earlier('metadata')} where ${among}`,
  );
  await inLog(
    database,
    AGAIN(`
      select ${HEAD}, e.stream, e.revision, e.type, e.data, e.metadata, copy,
             e.revision + copy * ${n} as new_revision, ${AGO(`(${copies} - copy)`)} as at
      from log.events e cross join generate_series(1, ${copies}) as copy
      where e.${among}`),
  );
}

/** Stores the events of one stream again as those of `subjects` others, of whom nothing else is known. */
export async function multiply(database, stream, from, subjects) {
  await inLog(
    database,
    AGAIN(`
      select ${HEAD}, left(e.stream, -26) || upper(lpad(to_hex(copy), 26, '0')) as stream, e.revision, e.type, e.data, e.metadata,
             copy, e.revision as new_revision, ${AGO(0)} as at
      from log.events e cross join generate_series(${from}, ${from + subjects - 1}) as copy
      where e.stream = '${stream}'`),
  );
}

const inLog = (database, statement) => database.query(`begin; ${LOCK}; ${statement}; notify assent_log; commit`);
