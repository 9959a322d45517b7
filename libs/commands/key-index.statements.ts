/** Owner of the rows that were written from the log: no process works under them. */
const FROM_LOG = `'00000000-0000-0000-0000-000000000000'::uuid`;
/** As CLOCK_LEEWAY_MS of the key search: an event from before that belongs to another request under the key. */
const LEEWAY = `interval '5 minutes'`;
const WANTED = `unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::timestamptz[]) as w(key, fingerprint, subjects, since, through)`;

const IS_NEW_USE = 'excluded.fingerprint <> i.fingerprint';
/** A row that a request made names whom the request meant, which the events of older releases do not tell. */
const IS_OURS = `(i.owner = ${FROM_LOG} or i.subjects = '{}')`;
/** Each place keeps the first subject that was seen for it. */
const JOINED = `array(
  select coalesce(nullif(s.known, ''), s.seen, '')
  from unnest(i.subjects, excluded.subjects) with ordinality as s(known, seen, place) order by s.place
)`;

export const PUT = {
  name: 'idempotency_index_put',
  text: `insert into write.idempotency as i (key, fingerprint, owner, leased_until, subjects, reserved_at)
         select decode(key, 'hex'), decode(fingerprint, 'hex'), ${FROM_LOG}, least(through, now()), string_to_array(subjects, ','), since
         from ${WANTED} order by key
         on conflict (key) do update set
           fingerprint = excluded.fingerprint,
           subjects = case when ${IS_NEW_USE} then excluded.subjects when ${IS_OURS} then ${JOINED} else i.subjects end,
           reserved_at = case when ${IS_NEW_USE} then excluded.reserved_at else i.reserved_at end,
           leased_until = greatest(i.leased_until, excluded.leased_until)
         where excluded.reserved_at >= i.reserved_at - ${LEEWAY}
           and (${IS_NEW_USE} or excluded.leased_until > i.leased_until or ${IS_OURS} and i.subjects <> ${JOINED})
         returning 1 as written`,
};

/** A key of which only an earlier use is in the log so far is compared with nothing: the row is that of a later one. */
export const COMPARE = {
  name: 'idempotency_index_compare',
  text: `with wanted as (
           select *, decode(key, 'hex') as digest from ${WANTED}
         ), held as (
           select * from write.idempotency where key = any(array(select digest from wanted))
         )
         select w.key, case when h.key is null then 'MISSING' else 'OTHER' end as fault
         from wanted w left join held h on h.key = w.digest
         where case
           when h.key is null then true
           else w.since >= h.reserved_at - ${LEEWAY}
             and (h.fingerprint <> decode(w.fingerprint, 'hex') or (w.subjects <> '' and h.subjects = '{}'))
         end`,
};

export const PUT_ERASED = {
  name: 'idempotency_index_put_erased',
  text: 'insert into write.erased_subjects (subject_id) select distinct unnest($1::text[]) on conflict do nothing returning subject_id',
};

export const ERASED_LACKING = {
  name: 'idempotency_index_erased_lacking',
  text: `select id from unnest($1::text[]) as id
         where not exists (select 1 from write.erased_subjects e where e.subject_id = id)`,
};
