import { useAct } from '../../api/act.js';
import { answered, api } from '../../api/client.js';
import type { Pages } from '../../api/resource.js';
import type { components } from '../../api/schema.js';
import { say } from '../../frame/said.js';
import { Badge, type Tone } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { FormTrouble } from '../../parts/form.js';
import { Card } from '../../parts/page.js';
import { Empty, Loaded, More } from '../../parts/states.js';
import { Time } from '../../parts/time.js';
import type { Endpoint } from '../../parts/webhooks/health.js';
import { may, type Place } from '../../session.js';
import { distance, moment } from '../../words.js';
import { endpointNamed, endpointWords as t } from './words.js';

export type Delivery = components['schemas']['WebhookDelivery'];
type Attempt = Delivery['attempts'][number];

const TONES: Readonly<Record<string, Tone>> = { WAITING: 'wait', DELIVERED: 'yes', FAILED: 'no' };

/** What was sent to an endpoint, the newest first, with each attempt and what the receiver answered. */
export function Deliveries(props: {
  readonly place: Place;
  readonly endpoint: Endpoint;
  readonly deliveries: Pages<Delivery>;
  readonly onChange: () => void;
}) {
  return (
    <Card
      title={t('deliveries')}
      isFlush
      end={
        <Button look="quiet" onPress={props.onChange}>
          {t('deliveries.reload')}
        </Button>
      }
    >
      <Loaded
        of={props.deliveries}
        empty={
          <Empty icon="hook" title={t('deliveries.empty')}>
            {t('deliveries.empty.why')}
          </Empty>
        }
      >
        {(rows) => (
          <>
            <ul class="list">
              {rows.map((delivery) => (
                <Sent key={delivery.id} {...props} delivery={delivery} />
              ))}
            </ul>
            <More of={props.deliveries} />
          </>
        )}
      </Loaded>
    </Card>
  );
}

function Sent(props: {
  readonly place: Place;
  readonly endpoint: Endpoint;
  readonly delivery: Delivery;
  readonly onChange: () => void;
}) {
  const { place, endpoint, delivery } = props;
  const { id, eventId, type, state, createdAt, nextAttemptAt, replayId, attempts } = delivery;
  const act = useAct((once) =>
    answered(
      api.POST('/admin/v1/sites/{site}/{env}/webhook-deliveries/{id}/retry', {
        params: { path: { ...place, id } },
        ...once,
      }),
    ),
  );
  const retry = async () => {
    if (!(await act.run())) return;
    say(t('delivery.retried'));
    props.onChange();
  };
  const canRetry = state !== 'DELIVERED' && endpoint.state === 'ENABLED' && may('retrySiteWebhookDelivery', place);
  return (
    <li class="delivery">
      <div class="ev">
        <code>{type}</code>
        <Badge tone={TONES[state] ?? 'off'}>{endpointNamed('delivery.', state)}</Badge>
        {replayId !== null && <span class="small">{t('delivery.replay')}</span>}
        <Time at={createdAt} />
      </div>
      {nextAttemptAt !== null && state === 'WAITING' && attempts.length > 0 && (
        <p class="small">{t('delivery.next', { when: distance(nextAttemptAt) })}</p>
      )}
      {attempts.length > 0 && (
        <details>
          <summary>{t('delivery.attempts', { n: attempts.length })}</summary>
          <div class="grid">
            <p class="small">
              <code>{eventId}</code>
            </p>
            {attempts.map((attempt) => (
              <Tried key={attempt.number} attempt={attempt} />
            ))}
          </div>
        </details>
      )}
      <FormTrouble problem={act.problem} />
      {canRetry && (
        <div class="acts">
          <Button isBusy={act.isBusy} onPress={() => void retry()}>
            {t('delivery.retry')}
            <span class="unseen">
              : {type}, {eventId}
            </span>
          </Button>
        </div>
      )}
    </li>
  );
}

function Tried({ attempt }: { readonly attempt: Attempt }) {
  const { number: nth, at, durationMs, status, reason, answer } = attempt;
  const what = reason === null ? String(status) : endpointNamed('reason.', reason);
  return (
    <div>
      <p>
        {nth}. {moment(at)}, {t('attempt', { ms: durationMs, what })}
      </p>
      {answer !== null && (
        <pre tabIndex={0} aria-label={t('attempt.answer')}>
          {answer}
        </pre>
      )}
    </div>
  );
}
