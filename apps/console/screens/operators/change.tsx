import { useState } from 'preact/hooks';
import { useAct } from '../../api/act.js';
import { answered, api } from '../../api/client.js';
import { say } from '../../frame/said.js';
import { ActDialog, TextField } from '../../parts/form.js';
import type { OperatorActProps } from './acts.js';
import { RolesEditor, type RoleAt } from './roles.js';
import { operatorWords as t } from './words.js';

/** Name and roles of a program. */
export function ChangeRoles(props: OperatorActProps) {
  const { operator } = props;
  const [name, setName] = useState(operator.name ?? '');
  const [roles, setRoles] = useState<readonly RoleAt[]>(operator.roles as readonly RoleAt[]);
  const act = useAct(async (once) => {
    await answered(
      api.PATCH('/admin/v1/operators/{id}', {
        params: { path: { id: operator.id } },
        body: { ...(name !== operator.name && { name: name.trim() }), roles: [...roles] },
        ...once,
      }),
    );
    say(t('changed', { name }));
  });
  return (
    <ActDialog
      title={t('change.title', { name: operator.name ?? operator.id })}
      lead={<p>{t('change.lead')}</p>}
      submit={t('change.submit')}
      isOpen
      act={act}
      onClose={props.onClose}
      onDone={props.onDone}
    >
      <TextField
        name="name"
        label={t('column.name')}
        value={name}
        onInput={setName}
        maxLength={100}
        isRequired
        problem={act.problem}
      />
      <RolesEditor value={roles} onChange={setRoles} problem={act.problem} />
    </ActDialog>
  );
}
