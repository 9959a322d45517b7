import { at } from '../../addresses.js';
import { Badge } from '../../parts/badge.js';
import { Card, Fact, Facts } from '../../parts/page.js';
import { Note } from '../../parts/states.js';
import { Time } from '../../parts/time.js';
import { may, type Place } from '../../session.js';
import { moment } from '../../words.js';
import { isOpen, type Request } from './allowed.js';
import { cardNamed, requestCardWords as t } from './words.js';

const TONES = { VERIFIED: 'yes', PENDING: 'wait', NOT_REQUIRED: 'off' } as const;

/** Whether it is known that the person sent the request, and the way to the person. */
export function Identity(props: { readonly place: Place; readonly request: Request }) {
  const { subject, verification } = props.request;
  const { status, method, verifiedAt, expiresAt, reason } = verification;
  return (
    <Card
      title={t('identity')}
      end={<Badge tone={TONES[status as 'PENDING'] ?? 'off'}>{cardNamed('identity.', status)}</Badge>}
    >
      <div class="grid">
        {verifiedAt !== null && (
          <p>
            {method !== null && cardNamed('method.', method)} · <Time at={verifiedAt} />
          </p>
        )}
        {status === 'PENDING' && isOpen(props.request) && <p>{t('identity.pending.why')}</p>}
        {status === 'PENDING' && expiresAt !== null && isOpen(props.request) && (
          <p>{t('identity.until', { when: moment(expiresAt) })}</p>
        )}
        {reason !== null && <Note tone="wait">{cardNamed('identity.', reason)}</Note>}
        {status === 'NOT_REQUIRED' && <p>{t('identity.not-required.why')}</p>}
        <Facts>
          <Fact term={t('person')}>
            {may('lookUpSubject', props.place) ? (
              <a class="mono" href={at(props.place, 'people', subject.id)}>
                {subject.id}
              </a>
            ) : (
              <code>{subject.id}</code>
            )}
          </Fact>
        </Facts>
      </div>
    </Card>
  );
}
