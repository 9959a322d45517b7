import { useState } from 'preact/hooks';
import { useAct } from '../../api/act.js';
import { answered, api } from '../../api/client.js';
import type { Resource } from '../../api/resource.js';
import type { components } from '../../api/schema.js';
import { ActDialog, CheckField, SelectField, TextField } from '../../parts/form.js';
import { Loaded } from '../../parts/states.js';
import { NoteField, noted } from './dialogs.js';
import { Planned, type Plan } from './plan.js';
import type { StepProps } from './steps.js';
import { stepWords as t } from './words.js';

type Correction = components['schemas']['CorrectionInput'];
const OUTCOMES = ['COMPLETED', 'PARTIALLY_COMPLETED'] as const;

/** Completing a request, with the plan of what it does in the dialog itself. */
export function CompleteDialog({
  place,
  request,
  plan,
  ...dialog
}: StepProps & { readonly plan: Resource<Plan | null> }) {
  const [outcome, setOutcome] = useState<(typeof OUTCOMES)[number]>('COMPLETED');
  const [note, setNote] = useState('');
  const [own, setOwn] = useState<Correction | null>(null);
  const act = useAct((once, body: components['schemas']['CompleteDataRequest']) =>
    answered(
      api.POST('/admin/v1/sites/{site}/{env}/data-requests/{id}/complete', {
        params: { path: { ...place, id: request.id } },
        body,
        ...once,
      }),
    ),
  );
  const isErasure = request.type === 'ERASURE';
  const body = { outcome, ...noted(note), ...(own && { corrections: [own] }) };
  return (
    <ActDialog
      {...dialog}
      title={t('complete.title')}
      lead={
        <div class="grid">
          {own === null && <Loaded of={plan}>{(planned) => planned && <Planned plan={planned} />}</Loaded>}
          <p>
            <b>{t('complete.lead')}</b>
          </p>
        </div>
      }
      submit={t(isErasure ? 'complete.submit.ERASURE' : 'complete.submit')}
      look={isErasure ? 'danger' : 'main'}
      act={{ ...act, run: () => act.run(body) }}
    >
      {request.type === 'RECTIFICATION' && (
        <CheckField
          label={t('complete.own')}
          hint={t('complete.own.hint')}
          value={own !== null}
          onToggle={(isOwn) => setOwn(isOwn ? { kind: 'email', value: '' } : null)}
        />
      )}
      {own && (
        <div class="fields">
          <TextField
            name="corrections[0].kind"
            label={t('complete.kind')}
            hint={t('complete.kind.hint')}
            value={own.kind}
            onInput={(kind) => setOwn({ ...own, kind })}
            isRequired
            problem={act.problem}
          />
          <TextField
            name="corrections[0].replaces"
            label={t('complete.replaces')}
            hint={t('complete.replaces.hint')}
            value={own.replaces ?? ''}
            onInput={(replaces) => {
              const { replaces: _, ...others } = own;
              setOwn(replaces === '' ? others : { ...others, replaces });
            }}
            problem={act.problem}
          />
          <TextField
            name="corrections[0].value"
            label={t('complete.value')}
            value={String(own.value)}
            onInput={(value) => setOwn({ ...own, value })}
            isRequired
            problem={act.problem}
          />
        </div>
      )}
      <SelectField
        name="outcome"
        label={t('complete.outcome')}
        value={outcome}
        options={OUTCOMES.map((each) => [each, t(`complete.${each}`)] as const)}
        onPick={setOutcome}
        problem={act.problem}
      />
      <NoteField value={note} onInput={setNote} problem={act.problem} isRequired={outcome === 'PARTIALLY_COMPLETED'} />
    </ActDialog>
  );
}
