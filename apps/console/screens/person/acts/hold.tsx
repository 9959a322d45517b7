import { useState } from 'preact/hooks';
import { useAct } from '../../../api/act.js';
import { answered, api } from '../../../api/client.js';
import { say } from '../../../frame/said.js';
import { ActDialog, ReasonField, TextField } from '../../../parts/form.js';
import { nameOf } from '../identity.js';
import { endOf, today } from '../person.js';
import type { ActProps } from './acts.js';
import { t } from './words.js';

/** Lays a hold on a person: nothing is erased while it stands. */
export function Hold({ place, id, subject, onClose, onChange }: ActProps) {
  const [reason, setReason] = useState('');
  const [until, setUntil] = useState('');
  const act = useAct((once) => {
    const body = { reason, ...(until !== '' && { until: endOf(until) }) };
    return answered(
      api.POST('/admin/v1/sites/{site}/{env}/subjects/{ref}/restrict', {
        ...once,
        params: { path: { ...place, ref: id } },
        body,
      }),
    );
  });
  return (
    <ActDialog
      title={t('hold')}
      lead={t('hold.lead', { name: nameOf(subject) })}
      submit={t('hold.do')}
      isOpen
      act={act}
      onClose={onClose}
      onDone={() => {
        say(t('hold.done'));
        onChange();
      }}
    >
      <ReasonField value={reason} onInput={setReason} problem={act.problem} />
      <TextField
        name="until"
        label={t('hold.until')}
        hint={t('hold.until.hint')}
        type="date"
        min={today()}
        value={until}
        onInput={setUntil}
        problem={act.problem}
      />
    </ActDialog>
  );
}

export function Lift({ place, id, subject, onClose, onChange }: ActProps) {
  const [reason, setReason] = useState('');
  const act = useAct((once) =>
    answered(
      api.POST('/admin/v1/sites/{site}/{env}/subjects/{ref}/lift-restriction', {
        ...once,
        params: { path: { ...place, ref: id } },
        body: { reason },
      }),
    ),
  );
  return (
    <ActDialog
      title={t('lift')}
      lead={t('lift.lead', { name: nameOf(subject) })}
      submit={t('lift.do')}
      isOpen
      act={act}
      onClose={onClose}
      onDone={() => {
        say(t('lift.done'));
        onChange();
      }}
    >
      <ReasonField value={reason} onInput={setReason} problem={act.problem} />
    </ActDialog>
  );
}
