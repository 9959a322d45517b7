import type { PublishedView } from '../../following/projections/published-views.js';
import { NOT_ERASED } from '../../commands/erased-subjects.js';

const PENDING_UNTIL = `(p.topic -> 'pending' ->> 'until')::timestamptz`;

/**
 * `read.current_preferences`, from `read.preference_state`: every topic that a subject has said something about, as the
 * HTTP interface answers it. Values of typed fields are personal and stay sealed, so they are not in it.
 */
export const currentPreferencesView: PublishedView = {
  name: 'current_preferences',
  version: 1,
  about: 'What each subject wants of each topic: one row per subject, channel and topic.',
  columns: {
    subject_id: { type: 'text', meaning: 'Random id of the subject; no identifier of a person.' },
    site: { type: 'text', meaning: 'Whose data it is.' },
    env: { type: 'text', meaning: 'test or live.' },
    channel: { type: 'text', meaning: 'Key of the channel, such as email.' },
    topic: { type: 'text', meaning: 'Key of the topic.' },
    state: { type: 'text', meaning: 'GRANTED, DENIED, PENDING, EXPIRED or UNSET, by the clock of the database.' },
    since: { type: 'timestamptz', meaning: 'Since when that is so; null where it is UNSET.' },
    confirmed_at: { type: 'timestamptz', meaning: 'When a double opt-in confirmed it; null: none did.' },
    frequency: { type: 'text', meaning: 'How often, as the template names it; null: not known.' },
    paused_until: { type: 'timestamptz', meaning: 'End of a pause that is not over; null: none.' },
    global_opt_out: { type: 'boolean', meaning: 'Whether the subject wants nothing on any channel.' },
    sendable: { type: 'boolean', meaning: 'Whether a message about this topic may be sent now.' },
    blocked_by: {
      type: 'text',
      meaning: 'Why not: GLOBAL_OPT_OUT, DENIED, PENDING, EXPIRED, UNSET or PAUSED; null where it may.',
    },
    source: { type: 'text', meaning: 'API, or IMPORT or MIGRATION where the caller vouches for it.' },
    record_id: { type: 'text', meaning: 'The record that decided it; null where nothing was decided yet.' },
  },
  select: (table) => `
    select s.*, s.blocked_by is null as sendable from (
      select q.*,
        case q.state when 'UNSET' then null when 'PENDING' then q.pending_since when 'EXPIRED' then q.pending_until
          else q.given_at end as since,
        case when q.global_opt_out then 'GLOBAL_OPT_OUT' when q.state <> 'GRANTED' then q.state
          when q.paused_until is not null then 'PAUSED' end as blocked_by
      from (
        select p.subject_id, p.site, p.env, p.path[1] as channel, p.path[2] as topic, p.global_opt_out,
          case when p.topic ->> 'state' = 'GRANTED' or p.topic ->> 'pending' is null then p.topic ->> 'state'
            when ${PENDING_UNTIL} is null or ${PENDING_UNTIL} > now() then 'PENDING'
            when p.topic ->> 'state' = 'UNSET' then 'EXPIRED' else p.topic ->> 'state' end as state,
          (p.topic ->> 'givenAt')::timestamptz as given_at,
          (p.topic -> 'pending' ->> 'since')::timestamptz as pending_since, ${PENDING_UNTIL} as pending_until,
          p.topic ->> 'confirmedAt' as confirmed_at, p.topic ->> 'frequency' as frequency,
          case when (p.topic ->> 'pausedUntil')::timestamptz > now() then (p.topic ->> 'pausedUntil')::timestamptz end as paused_until,
          p.topic ->> 'source' as source, p.topic ->> 'recordId' as record_id
        from (
          select t.subject_id, t.site, t.env, each.value as topic,
            regexp_match(each.key, '^channels\\.(.+)\\.topics\\.(.+)$') as path,
            coalesce((t.state -> 'globalOptOut' ->> 'active')::boolean, false) as global_opt_out
          from ${table} t cross join lateral jsonb_each(t.state -> 'topics') as each
          where t.state -> 'standing' ->> 'merged' is null and ${NOT_ERASED}
        ) p
      ) q
    ) s`,
};
