import type { PublishedView } from '../../following/projections/published-views.js';

/** Shown as they stand in the row, whatever became of the subject. */
const UNCHANGED = [
  'position',
  'site',
  'env',
  'purpose',
  'purpose_version',
  'decision',
  'previous_state',
  'state',
  'applied',
  'source',
  'given_at',
  'recorded_at',
  'expires_at',
  'country',
  'region',
  'method',
  'surface',
  'banner_version',
  'locale',
  'gpc',
  'actor',
  'revision',
];

/** `read.decisions`, from `read.consent_decisions`. Of erased subjects the decision stays and says no longer whose it was. */
export const decisionsView: PublishedView = {
  name: 'decisions',
  version: 1,
  about: 'Every decision that was ever recorded: one row each, those without effect included.',
  columns: {
    position: { type: 'bigint', meaning: 'Place in the log: unique, and grows with each decision.' },
    record_id: { type: 'text', meaning: 'Id of the decision; null once its subject is erased.' },
    subject_id: { type: 'text', meaning: 'Random id of the subject it was recorded for; null once that is erased.' },
    site: { type: 'text', meaning: 'Whose data it is.' },
    env: { type: 'text', meaning: 'test or live.' },
    purpose: { type: 'text', meaning: 'Key of the purpose.' },
    purpose_version: { type: 'integer', meaning: 'Version of the purpose that was decided on.' },
    decision: { type: 'text', meaning: 'GRANTED, DENIED, WITHDRAWN, OBJECTED or ACKNOWLEDGED.' },
    previous_state: { type: 'text', meaning: 'What stood for the purpose before.' },
    state: { type: 'text', meaning: 'What stood for the purpose afterwards.' },
    applied: {
      type: 'boolean',
      meaning: 'False where something newer stood already, and the decision changed nothing.',
    },
    source: { type: 'text', meaning: 'API, or IMPORT or MIGRATION where the caller vouches for it.' },
    given_at: { type: 'timestamptz', meaning: 'When it was decided.' },
    recorded_at: { type: 'timestamptz', meaning: 'When it was recorded here.' },
    expires_at: { type: 'timestamptz', meaning: 'When a grant ends; null: it does not.' },
    country: { type: 'text', meaning: 'Whose law was applied: ISO 3166-1 alpha-2; null: not known.' },
    region: { type: 'text', meaning: 'The same, ISO 3166-2.' },
    method: { type: 'text', meaning: 'How it was collected: ACCEPT_ALL, TOGGLE and so on; null: not known.' },
    surface: { type: 'text', meaning: 'Where it was collected: BANNER, FORM and so on; null: not known.' },
    banner_version: { type: 'bigint', meaning: 'Version of the banner; null: not known.' },
    locale: { type: 'text', meaning: 'Language of the text that was shown.' },
    gpc: { type: 'boolean', meaning: 'Whether Global Privacy Control was on; null: not known.' },
    actor: { type: 'text', meaning: 'Who decided: SUBJECT, GUARDIAN, AGENT, OPERATOR or SYSTEM.' },
    revision: { type: 'bigint', meaning: 'Place among the events of the subject.' },
  },
  select: (table) => `
    select ${UNCHANGED.map((column) => `t.${column}`).join(', ')},
      case when e.subject_id is null then t.subject_id end as subject_id,
      case when e.subject_id is null then t.record_id end as record_id
    from ${table} t left join write.erased_subjects e on e.subject_id = t.subject_id`,
};
