import type { PublishedView } from '../following/projections/published-views.js';

/** `read.purposes`, from `read.catalogue_state`. */
export const purposesView: PublishedView = {
  name: 'purposes',
  version: 1,
  about: 'Every version of every purpose: one row per site, environment, purpose and version.',
  columns: {
    site: { type: 'text', meaning: 'Whose purpose it is.' },
    env: { type: 'text', meaning: 'test or live.' },
    purpose: { type: 'text', meaning: 'Key of the purpose.' },
    version: { type: 'integer', meaning: 'From 1.' },
    in_force: {
      type: 'boolean',
      meaning: 'Whether this is the version that holds now: the newest whose time has come.',
    },
    name: { type: 'text', meaning: 'In the default language of the purpose.' },
    category: { type: 'text', meaning: 'NECESSARY, ANALYTICS, MARKETING and so on.' },
    legal_basis: { type: 'text', meaning: 'CONSENT, LEGITIMATE_INTERESTS and so on (GDPR art. 6).' },
    consent_model: { type: 'text', meaning: 'OPT_IN, OPT_OUT, NOTICE_ONLY or ALWAYS_ON.' },
    gpc: { type: 'boolean', meaning: 'Whether Global Privacy Control reaches it.' },
    validity_days: { type: 'integer', meaning: 'Longest life of a grant; null: no end.' },
    retention: { type: 'text', meaning: 'How long data is kept, ISO 8601; null: not stated.' },
    controller: { type: 'text', meaning: 'Name of the controller.' },
    change_kind: { type: 'text', meaning: 'MATERIAL or EDITORIAL: whether grants for older versions want renewal.' },
    change_summary: { type: 'text', meaning: 'What this version changed.' },
    effective_from: { type: 'timestamptz', meaning: 'From when it holds.' },
    published_at: { type: 'timestamptz', meaning: 'When it was published.' },
    retired_at: { type: 'timestamptz', meaning: 'Since when the purpose takes no new grants; null: it does.' },
  },
  select: (table) => `
    select split_part(v.scope, '.', 1) as site, split_part(v.scope, '.', 2) as env, v.purpose, v.version,
      v.effective_from <= now() and not exists (
        select from json_array_elements(v.versions) as later
        where (later ->> 'version')::integer > v.version and (later ->> 'effectiveFrom')::timestamptz <= now()
      ) as in_force,
      v.definition -> 'translations' -> (v.definition ->> 'defaultLocale') ->> 'name' as name,
      v.definition ->> 'category' as category, v.definition ->> 'legalBasis' as legal_basis,
      v.definition ->> 'consentModel' as consent_model, v.definition ->> 'gpc' as gpc,
      v.definition ->> 'validityDays' as validity_days, v.definition ->> 'retention' as retention,
      v.definition -> 'controller' ->> 'name' as controller, v.change ->> 'kind' as change_kind,
      v.change ->> 'summary' as change_summary, v.effective_from, v.published_at, v.retired_at
    from (
      select t.scope, p.key as purpose, p.value -> 'versions' as versions, p.value ->> 'retiredAt' as retired_at,
        (e.value ->> 'version')::integer as version, e.value -> 'definition' as definition, e.value -> 'change' as change,
        (e.value ->> 'effectiveFrom')::timestamptz as effective_from, e.value ->> 'publishedAt' as published_at
      from ${table} t
      cross join lateral json_each(t.state -> 'purposes') as p
      cross join lateral json_array_elements(p.value -> 'versions') as e
    ) v`,
};
