/*
 * Subjects travel as one text per row, joined by commas: Postgres has no array of arrays of different lengths.
 * No statement joins the table: Postgres would keep the plan it made while the table was empty, and read all of it
 * each time (20 ms instead of 2 at 200,000 keys).
 */

/**
 * An expired lease means that its holder died between reserving and answering. The same request may take it over. What
 * the row names stays: those subjects are what the first try was about. `fresh`: the row was made by this statement.
 */
export const RESERVE = {
  name: 'idempotency_reserve_for',
  text: `with wanted as (
           select decode(key, 'hex') as key, decode(fingerprint, 'hex') as fingerprint, owner, string_to_array(subjects, ',') as subjects
           from unnest($1::text[], $2::text[], $3::uuid[], $4::text[]) as w(key, fingerprint, owner, subjects)
         ), taken as (
           insert into write.idempotency as i (key, fingerprint, owner, leased_until, subjects)
           select key, fingerprint, owner, now() + make_interval(secs => $5), subjects from wanted order by key
           on conflict (key) do update set owner = excluded.owner, leased_until = excluded.leased_until
           where i.fingerprint = excluded.fingerprint and i.leased_until < now()
           returning i.owner, i.reserved_at, i.reserved_at = now() as fresh
         )
         select w.owner, t.fresh, t.reserved_at,
           (select i.fingerprint = w.fingerprint from write.idempotency i where i.key = w.key) as same,
           (select i.subjects from write.idempotency i where i.key = w.key) as subjects,
           array(select e.subject_id from write.erased_subjects e
                 where e.subject_id = any((select i.subjects from write.idempotency i where i.key = w.key)::text[])) as erased
         from wanted w left join taken t using (owner)`,
};

export const SEEN = {
  name: 'idempotency_seen_for',
  text: `select fingerprint = decode($2, 'hex') as same,
           exists(select 1 from write.erased_subjects e where e.subject_id = any(i.subjects)) as gone
         from write.idempotency i where key = decode($1, 'hex')`,
};

/** An owner is one reservation's alone. */
const OWNED = `key = any(array(select decode(hex, 'hex') from unnest($1::text[]) as hex)) and owner = any($2::uuid[])`;

export const FORGET = { name: 'idempotency_forget', text: `delete from write.idempotency where ${OWNED}` };

export const RELEASE = {
  name: 'idempotency_release',
  text: `update write.idempotency set leased_until = now() where ${OWNED}`,
};

export const RENAME = {
  name: 'idempotency_rename',
  text: `update write.idempotency set subjects = array_replace(subjects, $3::text, $4::text) where ${OWNED}`,
};

export const ERASED = {
  name: 'idempotency_subjects_erased',
  text: 'insert into write.erased_subjects (subject_id) select unnest($1::text[]) on conflict do nothing',
};

/** When what stands under a key can have been recorded: under a lease that ended nothing is begun any more. */
export const WINDOWS = {
  name: 'idempotency_windows',
  text: `select encode(key, 'hex') as key, reserved_at as since, least(leased_until, now()) as until from write.idempotency
         where key = any(array(select decode(hex, 'hex') from unnest($1::text[]) as hex))`,
};
