import { useState } from 'preact/hooks';
import { useAct } from '../../api/act.js';
import { answered, api } from '../../api/client.js';
import type { components } from '../../api/schema.js';
import type { Problem } from '../../api/problem.js';
import { ActDialog, SelectField, TextField } from '../../parts/form.js';
import { lawOf, periodOf } from '../../parts/requests/words.js';
import type { StepProps } from './steps.js';
import { cardNamed, reasonText, stepWords as t } from './words.js';

type Body<K extends keyof components['schemas']> = components['schemas'][K];
const NOTE_MAX = 2000;

export function NoteField(props: {
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly problem: Problem | null;
  readonly label?: string;
  readonly isRequired?: boolean;
}) {
  return (
    <TextField
      name="note"
      label={props.label ?? t('note')}
      hint={t('note.hint')}
      rows={3}
      maxLength={NOTE_MAX}
      {...props}
    />
  );
}

/** What a note adds to a body; nothing where none was written. */
export const noted = (note: string): { note?: string } => (note.trim() === '' ? {} : { note });

export function VerifyDialog({ place, request, ...dialog }: StepProps) {
  const [method, setMethod] = useState<'OPERATOR' | 'DOCUMENT'>('OPERATOR');
  const act = useAct((once, body: Body<'VerifyDataRequest'>) =>
    answered(
      api.POST('/admin/v1/sites/{site}/{env}/data-requests/{id}/verify', {
        params: { path: { ...place, id: request.id } },
        body,
        ...once,
      }),
    ),
  );
  return (
    <ActDialog
      {...dialog}
      title={t('verify.title')}
      lead={t('verify.lead')}
      submit={t('verify.submit')}
      act={{ ...act, run: () => act.run({ method }) }}
    >
      <SelectField
        name="method"
        label={t('verify.method')}
        value={method}
        options={[
          ['OPERATOR', t('verify.OPERATOR')],
          ['DOCUMENT', t('verify.DOCUMENT')],
        ]}
        onPick={setMethod}
        problem={act.problem}
      />
    </ActDialog>
  );
}

const HOLDS = ['AWAITING_REQUESTER', 'AWAITING_THIRD_PARTY', 'LEGAL_REVIEW', 'OTHER'] as const;

export function HoldDialog({ place, request, ...dialog }: StepProps) {
  const [reason, setReason] = useState<(typeof HOLDS)[number]>('AWAITING_REQUESTER');
  const [note, setNote] = useState('');
  const act = useAct((once, body: Body<'HoldDataRequest'>) =>
    answered(
      api.POST('/admin/v1/sites/{site}/{env}/data-requests/{id}/hold', {
        params: { path: { ...place, id: request.id } },
        body,
        ...once,
      }),
    ),
  );
  return (
    <ActDialog
      {...dialog}
      title={t('hold.title')}
      lead={t(request.period.clockStops ? 'hold.lead.stops' : 'hold.lead.runs')}
      submit={t('hold.submit')}
      act={{ ...act, run: () => act.run({ reason, ...noted(note) }) }}
    >
      <SelectField
        name="reason"
        label={t('hold.reason')}
        value={reason}
        options={HOLDS.map((each) => [each, cardNamed('hold.', each)] as const)}
        onPick={setReason}
        problem={act.problem}
      />
      <NoteField value={note} onInput={setNote} problem={act.problem} />
    </ActDialog>
  );
}

export function ExtendDialog({ place, request, ...dialog }: StepProps) {
  const { period, regulation, type } = request;
  const [note, setNote] = useState('');
  const act = useAct((once, body: Body<'ExtendDataRequest'>) =>
    answered(
      api.POST('/admin/v1/sites/{site}/{env}/data-requests/{id}/extend', {
        params: { path: { ...place, id: request.id } },
        body,
        ...once,
      }),
    ),
  );
  return (
    <ActDialog
      {...dialog}
      title={t('extend.title')}
      lead={t('extend.lead', {
        period: periodOf(period.extensionDays ?? 0, period.unit),
        law: lawOf(regulation, type),
      })}
      submit={t('extend.submit')}
      act={{ ...act, run: () => act.run(noted(note)) }}
    >
      <NoteField value={note} onInput={setNote} problem={act.problem} label={t('extend.note')} isRequired />
    </ActDialog>
  );
}

const REJECTIONS = [
  'INSUFFICIENT_VERIFICATION',
  'NO_MATCH',
  'CLAIM_NOT_COVERED',
  'OUTSIDE_JURISDICTION',
  'LEGAL_HOLD',
  'EXEMPTION',
  'MANIFESTLY_UNFOUNDED',
  'EXCESSIVE',
  'TOO_MANY_REQUESTS',
  'SUSPECTED_FRAUD',
] as const;

export function RejectDialog({ place, request, ...dialog }: StepProps) {
  const isPending = request.verification.status === 'PENDING';
  const [reasonCode, setReason] = useState<(typeof REJECTIONS)[number]>(
    isPending ? 'INSUFFICIENT_VERIFICATION' : 'CLAIM_NOT_COVERED',
  );
  const [note, setNote] = useState('');
  const act = useAct((once, body: Body<'RejectDataRequest'>) =>
    answered(
      api.POST('/admin/v1/sites/{site}/{env}/data-requests/{id}/reject', {
        params: { path: { ...place, id: request.id } },
        body,
        ...once,
      }),
    ),
  );
  return (
    <ActDialog
      {...dialog}
      title={t('reject.title')}
      lead={t('reject.lead')}
      submit={t('reject.submit')}
      look="danger"
      act={{ ...act, run: () => act.run({ reasonCode, ...noted(note) }) }}
    >
      <SelectField
        name="reasonCode"
        label={t('reject.reason')}
        value={reasonCode}
        options={REJECTIONS.map((each) => [each, reasonText(each)] as const)}
        onPick={setReason}
        problem={act.problem}
      />
      <NoteField value={note} onInput={setNote} problem={act.problem} />
    </ActDialog>
  );
}

const CANCELLATIONS = ['WITHDRAWN_BY_REQUESTER', 'OPENED_BY_MISTAKE', 'DUPLICATE'] as const;

export function CancelDialog({ place, request, ...dialog }: StepProps) {
  const [reason, setReason] = useState<(typeof CANCELLATIONS)[number]>('WITHDRAWN_BY_REQUESTER');
  const [duplicateOf, setDuplicateOf] = useState('');
  const [note, setNote] = useState('');
  const act = useAct((once, body: Body<'CancelDataRequest'>) =>
    answered(
      api.POST('/admin/v1/sites/{site}/{env}/data-requests/{id}/cancel', {
        params: { path: { ...place, id: request.id } },
        body,
        ...once,
      }),
    ),
  );
  const body = { ...(reason === 'DUPLICATE' ? { duplicateOf: duplicateOf.trim() } : { reason }), ...noted(note) };
  return (
    <ActDialog
      {...dialog}
      title={t('cancel.title')}
      lead={t('cancel.lead')}
      submit={t('cancel.submit')}
      act={{ ...act, run: () => act.run(body) }}
    >
      <SelectField
        name="reason"
        label={t('cancel.reason')}
        value={reason}
        options={CANCELLATIONS.map((each) => [each, reasonText(each)] as const)}
        onPick={setReason}
        problem={act.problem}
      />
      {reason === 'DUPLICATE' && (
        <TextField
          name="duplicateOf"
          label={t('cancel.duplicate')}
          value={duplicateOf}
          onInput={setDuplicateOf}
          isRequired
          isMono
          problem={act.problem}
        />
      )}
      <NoteField value={note} onInput={setNote} problem={act.problem} />
    </ActDialog>
  );
}
