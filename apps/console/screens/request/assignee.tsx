import { useState } from 'preact/hooks';
import { useAct } from '../../api/act.js';
import { answered, api } from '../../api/client.js';
import { say } from '../../frame/said.js';
import { Button } from '../../parts/button.js';
import { ActDialog, FormTrouble, TextField } from '../../parts/form.js';
import { Card } from '../../parts/page.js';
import { OperatorName } from '../../parts/requests/operator.js';
import { may, session, type Place } from '../../session.js';
import { isOpen, type Request } from './allowed.js';
import { requestCardWords as t } from './words.js';

/** Who works on the request, and the ways to change that. */
export function Assignee(props: { readonly place: Place; readonly request: Request; readonly onChange: () => void }) {
  const { place, request } = props;
  const [isAsking, setAsking] = useState(false);
  const [id, setId] = useState('');
  const act = useAct((once, assignee: string | null) =>
    answered(
      api.POST('/admin/v1/sites/{site}/{env}/data-requests/{id}/assign', {
        params: { path: { ...place, id: request.id } },
        body: { assignee },
        ...once,
      }),
    ),
  );
  const done = (assignee: string | null) => {
    say(t(assignee === null ? 'work.taken' : 'work.done'));
    props.onChange();
  };
  const assign = async (assignee: string | null) => {
    if (await act.run(assignee)) done(assignee);
  };
  const me = session.value!.operator.id;
  const canAssign = may('assignSiteDataRequest', place) && isOpen(request) && request.completing === null;
  return (
    <Card title={t('work')}>
      <div class="grid">
        <p>
          <b>
            <OperatorName id={request.assignee} />
          </b>
        </p>
        {!isAsking && <FormTrouble problem={act.problem} />}
        {canAssign && (
          <div class="acts">
            {request.assignee !== me && (
              <Button isBusy={act.isBusy} onPress={() => void assign(me)}>
                {t('work.me')}
              </Button>
            )}
            <Button
              look="quiet"
              onPress={() => {
                act.reset();
                setAsking(true);
              }}
            >
              {t('work.other')}
            </Button>
            {request.assignee !== null && (
              <Button look="quiet" isBusy={act.isBusy} onPress={() => void assign(null)}>
                {t('work.none')}
              </Button>
            )}
          </div>
        )}
      </div>
      <ActDialog
        title={t('work')}
        lead={t('work.lead')}
        submit={t('work.other').replace('…', '')}
        isOpen={isAsking}
        act={{ ...act, run: () => act.run(id.trim()) }}
        onClose={() => setAsking(false)}
        onDone={() => done(id)}
      >
        <TextField
          name="assignee"
          label={t('work.id')}
          hint={t('work.id.hint')}
          value={id}
          onInput={setId}
          isRequired
          isMono
          problem={act.problem}
        />
      </ActDialog>
    </Card>
  );
}
