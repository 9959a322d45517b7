/** Subjects with a grant that has run out and is not yet said to have. */
export const dueExpiries = {
  name: 'consent_due_expiries',
  text: 'select site, env, subject_id from read.consent_state where next_expiry <= now() and subject_id <> all($2::text[]) order by next_expiry limit $1',
};
