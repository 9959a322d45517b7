import { useState } from 'preact/hooks';
import { useAct } from '../../api/act.js';
import { answered, api } from '../../api/client.js';
import type { Resource } from '../../api/resource.js';
import type { components } from '../../api/schema.js';
import { Button } from '../../parts/button.js';
import { ActDialog, ReasonField } from '../../parts/form.js';
import { ShownOnce } from '../../parts/once.js';
import { Card } from '../../parts/page.js';
import type { EventCatalogue } from '../../parts/webhooks/catalogue.js';
import type { Endpoint } from '../../parts/webhooks/health.js';
import { secretWords } from '../../parts/webhooks/secret.js';
import { may, type Place } from '../../session.js';
import { moment } from '../../words.js';
import { endpointWords as t } from './words.js';

/** The secret that signs, and its change. */
export function Secret(props: {
  readonly place: Place;
  readonly endpoint: Endpoint;
  readonly catalogue: Resource<EventCatalogue>;
  readonly onChange: () => void;
}) {
  const { place, endpoint } = props;
  const [isAsking, setAsking] = useState(false);
  const [reason, setReason] = useState('');
  const [made, setMade] = useState<components['schemas']['WebhookEndpointWithSecret'] | null>(null);
  const act = useAct(async (once, body: components['schemas']['RotateWebhookSecret']) =>
    setMade(
      await answered(
        api.POST('/admin/v1/sites/{site}/{env}/webhook-endpoints/{id}/rotate-secret', {
          params: { path: { ...place, id: endpoint.id } },
          body,
          ...once,
        }),
      ),
    ),
  );
  const known = props.catalogue.value.value;
  const until = endpoint.previousSecretUntil;
  return (
    <Card title={t('secret')}>
      <div class="grid">
        <p>{t('secret.why')}</p>
        {until !== null && Date.parse(until) > Date.now() && <p>{t('secret.overlap', { when: moment(until) })}</p>}
        {may('rotateSiteWebhookSecret', place) && known.state === 'ready' && (
          <div class="acts">
            <Button onPress={() => setAsking(true)}>{t('rotate')}</Button>
          </div>
        )}
      </div>
      <ActDialog
        title={t('rotate.title')}
        lead={known.state === 'ready' && t('rotate.lead', { n: known.data.delivery.secret.overlapHours })}
        submit={t('rotate.submit')}
        isOpen={isAsking}
        act={{ ...act, run: () => act.run(reason.trim() === '' ? {} : { reason }) }}
        onClose={() => setAsking(false)}
        onDone={props.onChange}
      >
        <ReasonField value={reason} onInput={setReason} problem={act.problem} isRequired={false} />
      </ActDialog>
      <ShownOnce
        title={secretWords('title')}
        label={secretWords('label')}
        text={made?.secret ?? null}
        onClose={() => setMade(null)}
      >
        {made?.previousSecretUntil && secretWords('rotated', { when: moment(made.previousSecretUntil) })}
      </ShownOnce>
    </Card>
  );
}
