import { useState } from 'preact/hooks';
import { useAct } from '../../api/act.js';
import { answered, api } from '../../api/client.js';
import { say } from '../../frame/said.js';
import { ActDialog, ReasonField, SelectField } from '../../parts/form.js';
import type { Operator } from './shown.js';
import { operatorWords as t } from './words.js';

export interface OperatorActProps {
  readonly operator: Operator;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

const OVERLAPS = ['24h', '7d', '1h', '0'] as const;

export function RotateToken(props: OperatorActProps & { readonly onIssued: (token: string) => void }) {
  const { operator } = props;
  const [overlap, setOverlap] = useState<(typeof OVERLAPS)[number]>('24h');
  const act = useAct(async (once) => {
    const { token } = await answered(
      api.POST('/admin/v1/operator-tokens/{id}/rotate', {
        params: { path: { id: operator.id } },
        body: { overlap },
        ...once,
      }),
    );
    props.onIssued(token);
  });
  return (
    <ActDialog
      title={t('rotate.title', { name: operator.name ?? operator.id })}
      lead={<p>{t('rotate.lead')}</p>}
      submit={t('rotate.submit')}
      isOpen
      act={act}
      onClose={props.onClose}
      onDone={props.onDone}
    >
      <SelectField
        name="overlap"
        label={t('overlap')}
        value={overlap}
        options={OVERLAPS.map((each) => [each, t(`overlap.${each}`)] as const)}
        onPick={setOverlap}
        problem={act.problem}
      />
    </ActDialog>
  );
}

export function EndOperator(props: OperatorActProps) {
  const { operator } = props;
  const [reason, setReason] = useState('');
  const act = useAct(async (once) => {
    await answered(
      api.POST('/admin/v1/operators/{id}/end', {
        params: { path: { id: operator.id } },
        body: { reason: reason.trim() },
        ...once,
      }),
    );
    say(t('ended', { name: operator.name ?? operator.id }));
  });
  return (
    <ActDialog
      title={t('end.title', { name: operator.name ?? operator.id })}
      lead={<p>{t(operator.source === 'OIDC' ? 'end.lead.oidc' : 'end.lead.token')}</p>}
      submit={t('end.submit')}
      look="danger"
      isOpen
      act={act}
      onClose={props.onClose}
      onDone={props.onDone}
    >
      <ReasonField value={reason} onInput={setReason} problem={act.problem} />
    </ActDialog>
  );
}
