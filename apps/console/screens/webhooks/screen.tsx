import { useState } from 'preact/hooks';
import { at } from '../../addresses.js';
import type { ScreenProps } from '../../app.js';
import { answered, api } from '../../api/client.js';
import { usePages } from '../../api/resource.js';
import { frameWords } from '../../frame/words.js';
import { Button } from '../../parts/button.js';
import { ShownOnce } from '../../parts/once.js';
import { Card, Page } from '../../parts/page.js';
import { Empty, Loaded, More, Note } from '../../parts/states.js';
import { Table, type Column } from '../../parts/table.js';
import { Time } from '../../parts/time.js';
import { groupsOf, useEventCatalogue, type EventCatalogue } from '../../parts/webhooks/catalogue.js';
import { HealthBadge, isAiling, nameOf, urgencyOf, waitingText, type Endpoint } from '../../parts/webhooks/health.js';
import { secretWords } from '../../parts/webhooks/secret.js';
import { may, type Place } from '../../session.js';
import { wordsOf } from '../../words.js';
import { CreateEndpoint } from './create.js';
import table from './words.json';

const t = wordsOf(table);
/** As many as one answer holds, so that those that fail stand first among all. */
const PAGE = 200;

/** Endpoints that are sent what happens, those that need an operator first. */
export default function Screen({ place }: ScreenProps) {
  const [isCreating, setCreating] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const catalogue = useEventCatalogue(place);
  const endpoints = usePages(
    (cursor) =>
      answered(
        api.GET('/admin/v1/sites/{site}/{env}/webhook-endpoints', {
          params: { path: place, query: { limit: PAGE, ...(cursor !== null && { cursor }) } },
        }),
      ),
    [place.site, place.env],
  );
  const loaded = endpoints.value.value;
  const ailing = loaded.state === 'ready' ? loaded.data.filter(isAiling).length : 0;
  const known = catalogue.value.value;
  const isBuilder = may('createSiteWebhookEndpoint', place);
  return (
    <Page
      title={frameWords('screen.webhooks')}
      lead={loaded.state === 'ready' && loaded.data.length > 0 && t('lead', { n: loaded.data.length })}
      acts={
        isBuilder && (
          <Button look="main" icon="plus" isOff={known.state !== 'ready'} onPress={() => setCreating(true)}>
            {t('new')}
          </Button>
        )
      }
    >
      <div class="grid">
        {ailing > 0 && <Note tone="no">{t('ailing', { n: ailing })}</Note>}
        <section class="card">
          <Loaded
            of={endpoints}
            empty={
              <Empty icon="hook" title={t('empty')}>
                {t('empty.why')}
              </Empty>
            }
          >
            {(rows) => (
              <>
                <Table
                  label={t('endpoints')}
                  columns={columns(place)}
                  rows={[...rows].sort((a, b) => urgencyOf(b) - urgencyOf(a))}
                  keyOf={({ id }) => id}
                />
                <More of={endpoints} />
              </>
            )}
          </Loaded>
        </section>
        <Loaded of={catalogue}>{(shown) => <Catalogue catalogue={shown} />}</Loaded>
      </div>
      {known.state === 'ready' && (
        <CreateEndpoint
          place={place}
          catalogue={known.data}
          isOpen={isCreating}
          onClose={() => setCreating(false)}
          onDone={(made) => {
            setSecret(made);
            void endpoints.reload();
          }}
        />
      )}
      <ShownOnce
        title={secretWords('title')}
        label={secretWords('label')}
        text={secret}
        onClose={() => setSecret(null)}
      >
        {secretWords('new')}
      </ShownOnce>
    </Page>
  );
}

const columns = (place: Place): Column<Endpoint>[] => [
  {
    title: t('column.endpoint'),
    cell: (endpoint) => (
      <>
        <a href={at(place, 'webhooks', endpoint.id)}>
          <bdi>{nameOf(endpoint)}</bdi>
        </a>
        <div class="small">
          <bdi class="mono">{endpoint.url}</bdi>
        </div>
      </>
    ),
  },
  { title: t('column.health'), cell: (endpoint) => <HealthBadge endpoint={endpoint} /> },
  { title: t('column.types'), isText: true, cell: ({ types }) => types.join(', ') },
  {
    title: t('column.last'),
    cell: ({ health }) =>
      health === null ? (
        ''
      ) : health.lastSuccessAt === null ? (
        t('never')
      ) : (
        <Time at={health.lastSuccessAt} form="distance" />
      ),
  },
  { title: t('column.waiting'), isNumber: true, cell: ({ health }) => health && waitingText(health) },
];

/** Every type of event, with an example of its message. */
function Catalogue({ catalogue }: { readonly catalogue: EventCatalogue }) {
  return (
    <Card title={t('catalogue')} isFlush>
      <ul class="list">
        {groupsOf(catalogue.events).flatMap(([, types]) =>
          types.map(({ type, description, example, from }) => (
            <li key={type}>
              <details class="t">
                <summary>
                  <code>{type}</code> <span>{description}</span>
                </summary>
                <p class="small">{t('catalogue.since', { version: from })}</p>
                <pre tabIndex={0}>{JSON.stringify(example, null, 2)}</pre>
              </details>
            </li>
          )),
        )}
      </ul>
    </Card>
  );
}
