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
const AT = (ms) =>
  `to_char((now() + ${ms} * interval '1 millisecond') at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at`;

/**
 * Makes each of these streams `length` events long by storing the events it has again and again, all streams side by
 * side. Every stream has the same number of events when it begins, of which `length` is a multiple. The last event is
 * said to have happened `length / 20` ms from now.
 */
export async function lengthen(database, streams, length) {
  const [{ n }] = await database.query('select count(*)::int as n from log.events where stream = $1', [streams[0]]);
  await inLog(
    database,
    AGAIN(`
      select ${HEAD}, e.stream, e.revision, e.type, e.data, e.metadata, copy,
             e.revision + copy * ${n} as new_revision, ${AT('copy')}
      from log.events e cross join generate_series(1, ${length / n - 1}) as copy
      where e.stream in (${streams.map((stream) => `'${stream}'`).join()})`),
  );
}

/** Stores the events of one stream again as those of `subjects` others, of whom nothing else is known. */
export async function multiply(database, stream, from, subjects) {
  await inLog(
    database,
    AGAIN(`
      select ${HEAD}, left(e.stream, -26) || upper(lpad(to_hex(copy), 26, '0')) as stream, e.revision, e.type, e.data, e.metadata,
             copy, e.revision as new_revision, ${AT('0')}
      from log.events e cross join generate_series(${from}, ${from + subjects - 1}) as copy
      where e.stream = '${stream}'`),
  );
}

const inLog = (database, statement) => database.query(`begin; ${LOCK}; ${statement}; notify assent_log; commit`);
