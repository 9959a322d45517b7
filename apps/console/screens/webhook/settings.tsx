import { useState } from 'preact/hooks';
import { useAct } from '../../api/act.js';
import { answered, api } from '../../api/client.js';
import type { Resource } from '../../api/resource.js';
import type { components } from '../../api/schema.js';
import { say } from '../../frame/said.js';
import { Button } from '../../parts/button.js';
import { ActDialog } from '../../parts/form.js';
import { Card, Fact, Facts } from '../../parts/page.js';
import { Loaded } from '../../parts/states.js';
import { Time } from '../../parts/time.js';
import type { EventCatalogue } from '../../parts/webhooks/catalogue.js';
import { endpointBody, EndpointFields, type EndpointDraft } from '../../parts/webhooks/form.js';
import type { Endpoint } from '../../parts/webhooks/health.js';
import { may, type Place } from '../../session.js';
import { endpointWords as t } from './words.js';

/** Where an endpoint is and what it is sent, and the way to change that. */
export function Settings(props: {
  readonly place: Place;
  readonly endpoint: Endpoint;
  readonly catalogue: Resource<EventCatalogue>;
  readonly onChange: () => void;
}) {
  const { place, endpoint } = props;
  const [draft, setDraft] = useState<EndpointDraft | null>(null);
  const act = useAct((once, body: components['schemas']['ChangeWebhookEndpoint']) =>
    answered(
      api.PATCH('/admin/v1/sites/{site}/{env}/webhook-endpoints/{id}', {
        params: { path: { ...place, id: endpoint.id } },
        body,
        ...once,
      }),
    ),
  );
  const change = () => setDraft({ ...endpoint, description: endpoint.description ?? '' });
  return (
    <Card
      title={t('settings')}
      end={
        may('changeSiteWebhookEndpoint', place) && (
          <Button look="quiet" onPress={change}>
            {t('settings.change')}
          </Button>
        )
      }
    >
      <Facts>
        <Fact term={t('url')}>
          <bdi class="mono">{endpoint.url}</bdi>
        </Fact>
        <Fact term={t('types')}>{endpoint.types.join(', ')}</Fact>
        <Fact term={t('identifiers')}>{t(endpoint.includeIdentifiers ? 'identifiers.yes' : 'identifiers.no')}</Fact>
        <Fact term={t('id')}>
          <code>{endpoint.id}</code>
        </Fact>
        <Fact term={t('created')}>
          <Time at={endpoint.createdAt} form="day" />
        </Fact>
        <Fact term={t('changed')}>
          <Time at={endpoint.changedAt} form="day" />
        </Fact>
      </Facts>
      <ActDialog
        title={t('settings.title')}
        lead={t('settings.lead')}
        submit={t('settings.submit')}
        isOpen={draft !== null}
        act={{ ...act, run: () => act.run(endpointBody(draft!)) }}
        onClose={() => setDraft(null)}
        onDone={() => {
          say(t('settings.done'));
          props.onChange();
        }}
      >
        {draft && (
          <Loaded of={props.catalogue}>
            {(catalogue) => (
              <EndpointFields draft={draft} catalogue={catalogue} problem={act.problem} onChange={setDraft} />
            )}
          </Loaded>
        )}
      </ActDialog>
    </Card>
  );
}
