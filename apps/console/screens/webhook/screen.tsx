import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { at } from '../../addresses.js';
import type { ScreenProps } from '../../app.js';
import { useAct } from '../../api/act.js';
import { answered, api } from '../../api/client.js';
import { usePages, useResource } from '../../api/resource.js';
import { say } from '../../frame/said.js';
import { frameWords } from '../../frame/words.js';
import { Button } from '../../parts/button.js';
import { FormTrouble } from '../../parts/form.js';
import { Page } from '../../parts/page.js';
import { Loaded } from '../../parts/states.js';
import { useEventCatalogue } from '../../parts/webhooks/catalogue.js';
import { HealthBadge, nameOf, type Endpoint } from '../../parts/webhooks/health.js';
import { may, type Place } from '../../session.js';
import { DeleteEndpoint, PauseEndpoint, ReplayEvents } from './acts.js';
import { Deliveries, type Delivery } from './deliveries.js';
import { Health } from './health.js';
import { Secret } from './secret.js';
import { Settings } from './settings.js';
import { endpointWords as t } from './words.js';

/** One endpoint: how it does, what it is sent, and what an operator can do about it. */
export default function Screen({ place, id }: ScreenProps) {
  const path = { ...place, id };
  const endpoint = useResource(
    () => answered(api.GET('/admin/v1/sites/{site}/{env}/webhook-endpoints/{id}', { params: { path } })),
    [place.site, place.env, id],
  );
  const deliveries = usePages<Delivery>(
    (cursor) =>
      answered(
        api.GET('/admin/v1/sites/{site}/{env}/webhook-endpoints/{id}/deliveries', {
          params: { path, query: { limit: 20, ...(cursor !== null && { cursor }) } },
        }),
      ),
    [place.site, place.env, id],
  );
  const loaded = endpoint.value.value;
  const changed = () => void Promise.all([endpoint.reload(), deliveries.reload()]);
  if (loaded.state !== 'ready')
    return (
      <Page title={frameWords('screen.webhooks')} trail={<Trail place={place} />}>
        <Loaded of={endpoint}>{() => null}</Loaded>
      </Page>
    );
  return <Drawn place={place} endpoint={loaded.data} deliveries={deliveries} onChange={changed} />;
}

const Trail = ({ place }: { readonly place: Place }) => (
  <a href={at(place, 'webhooks')}>{frameWords('screen.webhooks')}</a>
);

function Drawn(props: {
  readonly place: Place;
  readonly endpoint: Endpoint;
  readonly deliveries: Parameters<typeof Deliveries>[0]['deliveries'];
  readonly onChange: () => void;
}) {
  const { place, endpoint } = props;
  const { route } = useLocation();
  const catalogue = useEventCatalogue(place);
  const change = { place, endpoint, onChange: props.onChange };
  return (
    <Page
      title={nameOf(endpoint)}
      trail={<Trail place={place} />}
      lead={<HealthBadge endpoint={endpoint} />}
      acts={<Acts {...change} />}
    >
      <div class="grid g-main">
        <div class="grid">
          <Health endpoint={endpoint} />
          <Deliveries {...change} deliveries={props.deliveries} />
        </div>
        <div class="grid">
          <Settings {...change} catalogue={catalogue} />
          <Secret {...change} catalogue={catalogue} />
          {may('deleteSiteWebhookEndpoint', place) && (
            <DeleteEndpoint {...change} onChange={() => route(at(place, 'webhooks'))} />
          )}
        </div>
      </div>
    </Page>
  );
}

/** What is done at once: a test, resuming. What asks first: pausing, sending again. */
function Acts(props: { readonly place: Place; readonly endpoint: Endpoint; readonly onChange: () => void }) {
  const { place, endpoint } = props;
  const [asked, setAsked] = useState<'pause' | 'replay' | null>(null);
  const path = { ...place, id: endpoint.id };
  const test = useAct((once) =>
    answered(api.POST('/admin/v1/sites/{site}/{env}/webhook-endpoints/{id}/test', { params: { path }, ...once })),
  );
  const resume = useAct((once) =>
    answered(
      api.PATCH('/admin/v1/sites/{site}/{env}/webhook-endpoints/{id}', {
        params: { path },
        body: { state: 'ENABLED' },
        ...once,
      }),
    ),
  );
  const press = async (act: typeof test, sentence: string) => {
    if (!(await act.run())) return;
    say(sentence);
    props.onChange();
  };
  const isOn = endpoint.state === 'ENABLED';
  const canChange = may('changeSiteWebhookEndpoint', place);
  const dialog = { ...props, onClose: () => setAsked(null) };
  return (
    <>
      <FormTrouble problem={test.problem ?? resume.problem} />
      {isOn && may('testSiteWebhookEndpoint', place) && (
        <Button look="main" isBusy={test.isBusy} onPress={() => void press(test, t('test.done'))}>
          {t('test')}
        </Button>
      )}
      {isOn && may('replaySiteWebhookEvents', place) && (
        <Button onPress={() => setAsked('replay')}>{t('replay')}</Button>
      )}
      {canChange &&
        (isOn ? (
          <Button onPress={() => setAsked('pause')}>{t('pause')}</Button>
        ) : (
          <Button look="main" isBusy={resume.isBusy} onPress={() => void press(resume, t('resume.done'))}>
            {t('resume')}
          </Button>
        ))}
      <PauseEndpoint {...dialog} isOpen={asked === 'pause'} />
      <ReplayEvents {...dialog} isOpen={asked === 'replay'} />
    </>
  );
}
