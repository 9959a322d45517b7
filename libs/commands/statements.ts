import { FOUND } from '../vault/statements.js';

/*
 * Subjects travel as one text per row, joined by commas: Postgres has no array of arrays of different lengths.
 * No statement joins the table: Postgres would keep the plan it made while the table was empty, and read all of it
 * each time (20 ms instead of 2 at 200,000 keys).
 */

/**
 * An expired lease means that its holder died between reserving and answering. The same request may take it over. The
 * row keeps the subjects that the first try was about. `fresh`: this statement made the row.
 *
 * A key that is reserved for a newcomer names the subject that has the reference already. Where no subject has it, the
 * statement makes one together with the row, unless the request was begun before: then its row may name an id that is
 * still to be given. All keys are reserved before any identifier, both in their order, so rivals wait for each other
 * instead of locking each other out.
 */
export const RESERVE = {
  name: 'idempotency_reserve_meeting',
  text: `with wanted as materialized (
           select w.key, w.fingerprint, w.owner, string_to_array(w.subjects, ',') as subjects,
             w.site, w.env, w.digest, w.identifier_id as new_identifier_id, w.kind, w.sealed, w.wrapped as new_wrapped, known.*
           from unnest($1::bytea[], $2::bytea[], $3::uuid[], $4::text[], $6::text[], $7::text[], $8::bytea[], $9::text[], $10::text[], $11::bytea[], $12::bytea[])
             as w(key, fingerprint, owner, subjects, site, env, digest, identifier_id, kind, sealed, wrapped)
           ${FOUND}
         ), taken as (
           insert into write.idempotency as i (key, fingerprint, owner, leased_until, subjects)
           select key, fingerprint, owner, now() + make_interval(secs => $5), case when subject_id is null then subjects else array[subject_id] end
           from wanted order by key
           on conflict (key) do update set owner = excluded.owner, leased_until = excluded.leased_until
           where i.fingerprint = excluded.fingerprint and i.leased_until < now()
           returning i.owner, i.reserved_at, i.reserved_at = now() as fresh
         ), created as (
           insert into vault.identifiers (site, env, digest, subject_id, identifier_id, kind, sealed)
           select site, env, digest, subjects[1], new_identifier_id, kind, sealed
           from wanted join taken using (owner)
           where fresh and digest is not null and subject_id is null order by site, env, digest
           on conflict do nothing returning identifier_id
         ), keys as (
           insert into vault.subject_keys (subject_id, wrapped, master)
           select subjects[1], new_wrapped, $13::text from created join wanted on created.identifier_id = new_identifier_id
         )
         select w.owner, t.fresh, t.reserved_at, created.identifier_id is not null as created,
           w.subject_id, w.identifier_id, w.wrapped, w.merged, w.person
         from wanted w left join taken t using (owner) left join created on created.identifier_id = w.new_identifier_id`,
};

/** What the rows say of keys that were seen before. */
export const STANDING = {
  name: 'idempotency_standing',
  text: `select w.owner, i.fingerprint = w.fingerprint as same, i.subjects,
           array(select e.subject_id from write.erased_subjects e where e.subject_id = any(i.subjects)) as erased
         from unnest($1::bytea[], $2::bytea[], $3::uuid[]) as w(key, fingerprint, owner)
         cross join lateral (select i.fingerprint, i.subjects from write.idempotency i where i.key = w.key limit 1) i`,
};

export const SEEN = {
  name: 'idempotency_seen_all',
  text: `select w.n::int as n, i.fingerprint = w.fingerprint as same,
           exists(select 1 from write.erased_subjects e where e.subject_id = any(i.subjects)) as gone
         from unnest($1::bytea[], $2::bytea[]) with ordinality as w(key, fingerprint, n)
         cross join lateral (select i.fingerprint, i.subjects from write.idempotency i where i.key = w.key limit 1) i`,
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
