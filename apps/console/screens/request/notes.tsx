import { useState } from 'preact/hooks';
import { useAct } from '../../api/act.js';
import { answered, api } from '../../api/client.js';
import { say } from '../../frame/said.js';
import { Button } from '../../parts/button.js';
import { FormTrouble, TextField } from '../../parts/form.js';
import { Card } from '../../parts/page.js';
import { OperatorName } from '../../parts/requests/operator.js';
import { Time } from '../../parts/time.js';
import { may, type Place } from '../../session.js';
import { number } from '../../words.js';
import type { Request } from './allowed.js';
import { requestCardWords as t } from './words.js';

const NOTE_MAX = 2000;

/** What operators wrote down, oldest first, and a place to add to it. */
export function Notes(props: { readonly place: Place; readonly request: Request; readonly onChange: () => void }) {
  const { notes, reasonCode } = props.request;
  const canAdd = may('noteSiteDataRequest', props.place) && reasonCode !== 'SUBJECT_ERASED';
  return (
    <Card title={t('notes')} end={notes.length > 0 && <span class="small">{number(notes.length)}</span>}>
      <div class="grid">
        {notes.length === 0 && <p class="small">{t('notes.empty')}</p>}
        {notes.map(({ at, by, text }) => (
          <article key={at + by} class="shown">
            <p class="small">
              <b>
                <OperatorName id={by} />
              </b>{' '}
              · <Time at={at} />
            </p>
            <p class="as-written">{text ?? t('notes.gone')}</p>
          </article>
        ))}
        {canAdd && <AddNote {...props} />}
      </div>
    </Card>
  );
}

function AddNote(props: { readonly place: Place; readonly request: Request; readonly onChange: () => void }) {
  const [text, setText] = useState('');
  const act = useAct((once, note: string) =>
    answered(
      api.POST('/admin/v1/sites/{site}/{env}/data-requests/{id}/notes', {
        params: { path: { ...props.place, id: props.request.id } },
        body: { text: note },
        ...once,
      }),
    ),
  );
  const submit = async () => {
    if (!(await act.run(text))) return;
    setText('');
    say(t('notes.added'));
    props.onChange();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <FormTrouble problem={act.problem} />
      <TextField
        name="text"
        label={t('notes.label')}
        hint={t('notes.hint')}
        value={text}
        onInput={setText}
        rows={3}
        maxLength={NOTE_MAX}
        isRequired
        problem={act.problem}
      />
      <Button type="submit" isBusy={act.isBusy}>
        {t('notes.add')}
      </Button>
    </form>
  );
}
