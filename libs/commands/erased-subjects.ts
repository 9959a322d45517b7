/**
 * For queries over rows `t` of subjects: false from the moment of the erasure on, also while the rows themselves still
 * lag behind the log.
 */
export const NOT_ERASED = 'not exists (select from write.erased_subjects e where e.subject_id = t.subject_id)';
