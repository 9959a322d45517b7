import { ANONYMOUS_KINDS } from '../kernel/index.js';

/** With `limit 1`, as in FOUND: for EXISTS Postgres may read the whole table once. */
export const IS_PERSON = `(
  select true from vault.identifiers o
  where o.subject_id = i.subject_id and o.kind not in ('${ANONYMOUS_KINDS.join("', '")}') limit 1
) is not null as person`;

/**
 * Joins the subject that has the identifier digest of a row `w`, as `known`; nulls where no subject has it. The limits
 * keep Postgres at one look into the index for each row. A plain join it would plan for the empty tables of the start.
 */
export const FOUND = `left join lateral (
  select i.subject_id, i.identifier_id, k.wrapped, k.merged, ${IS_PERSON} from (
    select i.subject_id, i.identifier_id from vault.identifiers i
    where i.site = w.site and i.env = w.env and i.digest = w.digest limit 1
  ) i left join lateral (
    select k.wrapped, k.merged from vault.subject_keys k where k.subject_id = i.subject_id limit 1
  ) k on true
) known on true`;
