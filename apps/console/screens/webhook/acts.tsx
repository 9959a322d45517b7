import { useState } from 'preact/hooks';
import { useAct } from '../../api/act.js';
import { answered, api } from '../../api/client.js';
import type { components } from '../../api/schema.js';
import { say } from '../../frame/said.js';
import { Button } from '../../parts/button.js';
import { ActDialog, TextField } from '../../parts/form.js';
import { nameOf, type Endpoint } from '../../parts/webhooks/health.js';
import type { Place } from '../../session.js';
import { endpointWords as t } from './words.js';

interface ActProps {
  readonly place: Place;
  readonly endpoint: Endpoint;
  /** The act was done. */
  readonly onChange: () => void;
}
interface DialogProps extends ActProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function PauseEndpoint({ place, endpoint, isOpen, onClose, onChange }: DialogProps) {
  const act = useAct((once) =>
    answered(
      api.PATCH('/admin/v1/sites/{site}/{env}/webhook-endpoints/{id}', {
        params: { path: { ...place, id: endpoint.id } },
        body: { state: 'PAUSED' },
        ...once,
      }),
    ),
  );
  return (
    <ActDialog
      title={t('pause.title')}
      lead={t('pause.lead')}
      submit={t('pause.submit')}
      isOpen={isOpen}
      act={act}
      onClose={onClose}
      onDone={() => {
        say(t('pause.done'));
        onChange();
      }}
    />
  );
}

export function ReplayEvents({ place, endpoint, isOpen, onClose, onChange }: DialogProps) {
  const [since, setSince] = useState('');
  const act = useAct((once, body: components['schemas']['ReplayWebhookEvents']) =>
    answered(
      api.POST('/admin/v1/sites/{site}/{env}/webhook-endpoints/{id}/replay', {
        params: { path: { ...place, id: endpoint.id } },
        body,
        ...once,
      }),
    ),
  );
  return (
    <ActDialog
      title={t('replay.title')}
      lead={t('replay.lead')}
      submit={t('replay.submit')}
      isOpen={isOpen}
      act={{
        ...act,
        run: () => act.run(since === '' ? { fromSequence: 0 } : { since: new Date(since).toISOString() }),
      }}
      onClose={onClose}
      onDone={() => {
        say(t('replay.done'));
        onChange();
      }}
    >
      <TextField
        name="since"
        label={t('replay.since')}
        hint={t('replay.since.hint')}
        type="datetime-local"
        value={since}
        onInput={setSince}
        problem={act.problem}
      />
    </ActDialog>
  );
}

/** The button that deletes, and its question. */
export function DeleteEndpoint({ place, endpoint, onChange }: ActProps) {
  const [isAsking, setAsking] = useState(false);
  const act = useAct((once) =>
    answered(
      api.DELETE('/admin/v1/sites/{site}/{env}/webhook-endpoints/{id}', {
        params: { path: { ...place, id: endpoint.id } },
        ...once,
      }),
    ),
  );
  return (
    <div class="acts">
      <Button look="danger" onPress={() => setAsking(true)}>
        {t('delete')}
      </Button>
      <ActDialog
        title={t('delete.title')}
        lead={t('delete.lead', { name: nameOf(endpoint) })}
        submit={t('delete.submit')}
        look="danger"
        isOpen={isAsking}
        act={act}
        onClose={() => setAsking(false)}
        onDone={() => {
          say(t('delete.done'));
          onChange();
        }}
      />
    </div>
  );
}
