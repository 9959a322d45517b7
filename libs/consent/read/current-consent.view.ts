import type { PublishedView } from '../../following/projections/published-views.js';
import { NOT_ERASED } from '../../commands/erased-subjects.js';

/** `read.current_consent`, from `read.consent_state`: what stands for each purpose, as the HTTP interface answers `state`. */
export const currentConsentView: PublishedView = {
  name: 'current_consent',
  version: 1,
  about: 'What each subject has said last about each purpose: one row per subject and purpose.',
  columns: {
    subject_id: { type: 'text', meaning: 'Random id of the subject; no identifier of a person.' },
    site: { type: 'text', meaning: 'Whose data it is.' },
    env: { type: 'text', meaning: 'test or live.' },
    purpose: { type: 'text', meaning: 'Key of the purpose.' },
    state: {
      type: 'text',
      meaning: 'What holds now, by the clock of the database: EXPIRED as soon as a grant is over.',
    },
    decision: { type: 'text', meaning: 'What was decided.' },
    purpose_version: { type: 'integer', meaning: 'Version of the purpose that was decided on.' },
    source: { type: 'text', meaning: 'API, or IMPORT or MIGRATION where the caller vouches for it.' },
    given_at: { type: 'timestamptz', meaning: 'When it was decided.' },
    recorded_at: { type: 'timestamptz', meaning: 'When it was recorded here.' },
    expires_at: { type: 'timestamptz', meaning: 'When a grant ends; null: it does not.' },
    record_id: { type: 'text', meaning: 'The decision, as in read.decisions.' },
    specific: { type: 'boolean', meaning: 'Decided about this very purpose, and not by "accept all" or a signal.' },
    gpc: { type: 'boolean', meaning: 'Whether Global Privacy Control was on when last heard; null: never heard.' },
    gpc_since: { type: 'timestamptz', meaning: 'Since when that is so.' },
  },
  select: (table) => `
    select t.subject_id, t.site, t.env, p.key as purpose,
      case when (p.value ->> 'expiresAt')::timestamptz <= now() and p.value ->> 'state' in ('GRANTED', 'ACKNOWLEDGED')
        then 'EXPIRED' else p.value ->> 'state' end as state,
      p.value ->> 'decision' as decision, p.value ->> 'purposeVersion' as purpose_version, p.value ->> 'source' as source,
      p.value ->> 'givenAt' as given_at, p.value ->> 'recordedAt' as recorded_at, p.value ->> 'expiresAt' as expires_at,
      p.value ->> 'recordId' as record_id, p.value ->> 'specific' as specific,
      t.state -> 'gpc' ->> 'active' as gpc, t.state -> 'gpc' ->> 'since' as gpc_since
    from ${table} t cross join lateral jsonb_each(t.state -> 'purposes') as p
    where t.state -> 'standing' ->> 'merged' is null and ${NOT_ERASED}`,
};
