import { useState } from 'preact/hooks';
import { useAct } from '../../api/act.js';
import { answered, api } from '../../api/client.js';
import type { components } from '../../api/schema.js';
import { say } from '../../frame/said.js';
import { ActDialog } from '../../parts/form.js';
import type { EventCatalogue } from '../../parts/webhooks/catalogue.js';
import { endpointBody, EndpointFields, NEW_ENDPOINT } from '../../parts/webhooks/form.js';
import type { Place } from '../../session.js';
import { wordsOf } from '../../words.js';
import table from './words.json';

const t = wordsOf(table);

/** Creates an endpoint. `onDone` is given its secret, which the service shows this once. */
export function CreateEndpoint(props: {
  readonly place: Place;
  readonly catalogue: EventCatalogue;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onDone: (secret: string) => void;
}) {
  const [draft, setDraft] = useState(NEW_ENDPOINT);
  const act = useAct(async (once, body: components['schemas']['CreateWebhookEndpoint']) => {
    const { secret } = await answered(
      api.POST('/admin/v1/sites/{site}/{env}/webhook-endpoints', { params: { path: props.place }, body, ...once }),
    );
    setDraft(NEW_ENDPOINT);
    say(t('new.done'));
    props.onDone(secret);
  });
  return (
    <ActDialog
      title={t('new.title')}
      lead={t('new.lead')}
      submit={t('new.submit')}
      isOpen={props.isOpen}
      act={{ ...act, run: () => act.run(endpointBody(draft)) }}
      onClose={props.onClose}
    >
      <EndpointFields draft={draft} catalogue={props.catalogue} problem={act.problem} onChange={setDraft} />
    </ActDialog>
  );
}
