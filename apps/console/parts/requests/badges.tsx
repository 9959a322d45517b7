import { Badge, type Tone } from '../badge.js';
import type { IconName } from '../icon.js';
import { dueOf, type Dated } from './due.js';
import { requestState, requestWords as t } from './words.js';

const STATES: Readonly<Record<string, readonly [tone: Tone, icon?: IconName]>> = {
  RECEIVED: ['info', 'inbox'],
  AWAITING_VERIFICATION: ['wait'],
  VERIFIED: ['info', 'person'],
  IN_PROGRESS: ['info', 'pulse'],
  ON_HOLD: ['wait'],
  COMPLETED: ['yes'],
  PARTIALLY_COMPLETED: ['yes'],
  REJECTED: ['no'],
};

/** How far a request is. */
export function RequestStateBadge({ state }: { readonly state: string }) {
  const [tone, icon] = STATES[state] ?? ['off'];
  return (
    <Badge tone={tone} {...(icon && { icon })}>
      {requestState(state)}
    </Badge>
  );
}

/** How long there is to answer a request; nothing once it is closed. */
export function DueBadge({ request }: { readonly request: Dated }) {
  const due = dueOf(request, Date.now());
  if (due.kind === 'closed') return null;
  if (due.kind === 'stopped') return <Badge tone="off">{t('due.stopped')}</Badge>;
  if (due.kind === 'none') return <Badge tone="off">{t('due.none')}</Badge>;
  if (due.kind === 'over')
    return (
      <Badge tone="no" icon="alert">
        {due.days === 0 ? t('due.just-over') : t('due.over', { n: due.days })}
      </Badge>
    );
  return (
    <Badge tone={due.days < SOON_DAYS ? 'wait' : 'off'} icon="clock">
      {due.days === 0 ? t('due.hours', { n: due.hours }) : t('due.left', { n: due.days })}
    </Badge>
  );
}

/** As many days before its date the service counts a request as due soon. */
const SOON_DAYS = 7;
