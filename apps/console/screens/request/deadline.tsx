import { Card } from '../../parts/page.js';
import { DueBadge } from '../../parts/requests/badges.js';
import { dueOf } from '../../parts/requests/due.js';
import { lawOf, periodOf } from '../../parts/requests/words.js';
import { moment } from '../../words.js';
import { isOpen, type Request } from './allowed.js';
import { cardNamed, requestCardWords as t } from './words.js';

/** When a request must be answered, and which law says so. */
export function Deadline({ request }: { readonly request: Request }) {
  const { acknowledgeBy, holdReason, clock } = request;
  return (
    <Card title={t('deadline')} end={<DueBadge request={request} />}>
      <div class="grid">
        <p>{sentenceOf(request)}</p>
        {holdReason !== null && clock.pausedSince === null && isOpen(request) && (
          <p>{t('deadline.waits', { why: cardNamed('hold.', holdReason) })}</p>
        )}
        {acknowledgeBy !== null && isOpen(request) && (
          <p class="small">{t('deadline.acknowledge', { when: moment(acknowledgeBy) })}</p>
        )}
      </div>
    </Card>
  );
}

function sentenceOf(request: Request): string {
  const due = dueOf(request, Date.now());
  const { period, regulation, type, extendedDueAt } = request;
  if (due.kind === 'closed') return t('deadline.closed', { when: moment(request.closedAt!) });
  if (due.kind === 'stopped') return t('deadline.stopped', { when: moment(request.clock.pausedSince!) });
  if (due.kind === 'none' || period.dueDays === null) return t('deadline.none');
  const values = {
    when: moment(due.lastMoment),
    period: periodOf(period.dueDays, period.unit),
    law: lawOf(regulation, type),
  };
  if (due.kind === 'over') return t('deadline.over', values);
  return t(extendedDueAt === null ? 'deadline.left' : 'deadline.extended', values);
}
