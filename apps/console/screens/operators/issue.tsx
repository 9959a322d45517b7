import { useState } from 'preact/hooks';
import { useAct } from '../../api/act.js';
import { answered, api } from '../../api/client.js';
import { ActDialog, SelectField, TextField } from '../../parts/form.js';
import { RolesEditor, type RoleAt } from './roles.js';
import { operatorWords as t } from './words.js';

/** A token for one person or program, so that each act names who did it. */
export function IssueToken(props: {
  readonly onIssued: (token: string) => void;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const [name, setName] = useState('');
  const [roles, setRoles] = useState<readonly RoleAt[]>([{ role: 'VIEWER', site: '*', env: '*' }]);
  const [term, setTerm] = useState<'default' | 'date' | 'never'>('default');
  const [until, setUntil] = useState('');
  const act = useAct(async (once) => {
    const { token } = await answered(
      api.POST('/admin/v1/operator-tokens', {
        body: {
          name: name.trim(),
          roles: [...roles],
          ...(term === 'never' && { expiresAt: null }),
          ...(term === 'date' && { expiresAt: new Date(`${until}T00:00:00`).toISOString() }),
        },
        ...once,
      }),
    );
    props.onIssued(token);
  });
  const isAdmin = roles.some(({ role }) => role === 'ADMIN');
  return (
    <ActDialog
      title={t('issue')}
      lead={<p>{t('issue.lead')}</p>}
      submit={t('issue')}
      isOpen
      act={act}
      onClose={props.onClose}
      onDone={props.onDone}
    >
      <TextField
        name="name"
        label={t('column.name')}
        hint={t('issue.name')}
        value={name}
        onInput={setName}
        maxLength={100}
        isRequired
        problem={act.problem}
      />
      <RolesEditor value={roles} onChange={setRoles} problem={act.problem} />
      <SelectField
        name="expiresAt"
        label={t('term')}
        value={term}
        options={[
          ['default', t('term.default')],
          ['date', t('term.date')],
          ...(isAdmin ? [['never', t('term.never')] as const] : []),
        ]}
        onPick={setTerm}
        problem={act.problem}
      />
      {term === 'date' && (
        <TextField name="until" type="date" label={t('term.until')} value={until} onInput={setUntil} isRequired />
      )}
    </ActDialog>
  );
}
