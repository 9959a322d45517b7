import type { Queries } from '../../engines/database/database.js';
import type { NotedAttempt } from '../../deliveries/delivery.js';
import { GONE, type WebhookEvidence } from '../sending/outcome.js';

/**
 * Failures count as going on only while attempts are made: after a longer silence than the schedule has, they begin anew.
 * 24 h and a fifth is its longest wait.
 */
const SILENCE_MAX = '30 hours';
/** How exact the time of the last success is: it is not worth a write for each delivery. */
const SUCCESS_EVERY = '1 second';

// An endpoint is written only where it changes. In the order of their ids, so that rivals wait for each other.
const NOTE = {
  name: 'webhooks_note_attempts',
  text: `with made as (
           select * from unnest($1::bigint[], $2::text[], $3::timestamptz[], $4::int[], $5::int[], $6::text[], $7::bytea[], $8::float8[], $9::boolean[], $10::boolean[])
             as w(delivery, endpoint, at, duration_ms, status, reason, answer, wait_s, succeeded, gone)
         ), noted as (
           insert into webhooks.attempt (delivery, number, at, duration_ms, status, reason, answer, next_at)
           select delivery, (select coalesce(max(a.number), 0) + 1 from webhooks.attempt a where a.delivery = made.delivery),
             at, duration_ms, status, reason, answer, now() + make_interval(secs => wait_s)
           from made
         ), health as (
           select endpoint, bool_or(succeeded) as succeeded, count(*) filter (where not succeeded)::int as failures,
             max(at) filter (where gone) as gone_at
           from made where succeeded is not null group by endpoint
         ), changed as (
           select e.id from webhooks.endpoint e join health h on h.endpoint = e.id
           where h.failures > 0 or e.failing_since is not null or coalesce(e.last_success_at < now() - interval '${SUCCESS_EVERY}', true)
           order by e.id for update of e
         )
         update webhooks.endpoint e
         set failing_since = case when h.succeeded then null
               when e.failing_since is null or e.last_failure_at < now() - interval '${SILENCE_MAX}' then now()
               else e.failing_since end,
             consecutive_failures = case when h.succeeded then 0 else e.consecutive_failures + h.failures end,
             last_success_at = case when h.succeeded then now() else e.last_success_at end,
             last_failure_at = case when h.failures > 0 then now() else e.last_failure_at end,
             gone_at = case when h.gone_at >= e.changed_at then h.gone_at else e.gone_at end
         from health h join changed on changed.id = h.endpoint where e.id = h.endpoint`,
};

/** Whether an attempt speaks for its receiver; null: it failed because of ourselves. */
function succeeded({ attempted }: NotedAttempt<WebhookEvidence>): boolean | null {
  if (attempted.outcome === 'delivered') return true;
  return attempted.reason === 'error' ? null : false;
}

const reasonOf = ({ attempted }: NotedAttempt<WebhookEvidence>): string | null =>
  attempted.outcome === 'delivered' ? null : attempted.reason;

/** Keeps attempts for who looks at deliveries, and what they say of the health of their endpoints. */
export async function noteAttempts(tx: Queries, attempts: readonly NotedAttempt<WebhookEvidence>[]): Promise<void> {
  const column = <T>(of: (attempt: NotedAttempt<WebhookEvidence>) => T): T[] => attempts.map(of);
  await tx.query(NOTE, [
    column(({ id }) => id),
    column(({ endpoint }) => endpoint),
    column(({ at }) => at),
    column(({ durationMs }) => Math.round(durationMs)),
    column(({ attempted }) => attempted.evidence?.status ?? null),
    column(reasonOf),
    column(({ attempted }) => attempted.answer ?? null),
    column(({ waitMs }) => (waitMs === null ? null : waitMs / 1000)),
    column(succeeded),
    column((attempt) => reasonOf(attempt) === GONE),
  ]);
}
