/** Subjects with a request for confirmation that has run out and is not yet said to have. */
export const dueConfirmations = {
  name: 'preference_due_confirmations',
  text: 'select site, env, subject_id from read.preference_state where next_turn <= now() and subject_id <> all($2::text[]) order by next_turn limit $1',
};
