import { useState } from 'preact/hooks';
import { useAct } from '../../api/act.js';
import { answered, api } from '../../api/client.js';
import type { components } from '../../api/schema.js';
import { ActDialog, CheckField, SelectField, TextField } from '../../parts/form.js';
import { Fieldset } from '../../parts/fieldset.js';
import type { Place } from '../../session.js';
import { linesOf } from './origins.js';
import { SCOPES, scopeText } from './scopes.js';
import { keyWords as t } from './words.js';

type Scope = NonNullable<components['schemas']['IssueKey']['scopes']>[number];

export function IssueDialog(props: {
  readonly place: Place;
  readonly onClose: () => void;
  readonly onIssued: (secret: string) => void;
  readonly onDone: () => void;
}) {
  const { site, env } = props.place;
  const [name, setName] = useState('');
  const [type, setType] = useState<'sk' | 'pk'>('sk');
  const [reach, setReach] = useState<'all' | 'some'>('all');
  const [scopes, setScopes] = useState<readonly Scope[]>([]);
  const [origins, setOrigins] = useState('');
  const [until, setUntil] = useState('');
  const act = useAct(async (once) => {
    const { key } = await answered(
      api.POST('/admin/v1/sites/{site}/keys', {
        params: { path: { site } },
        body: {
          type,
          env,
          name: name.trim(),
          ...(reach === 'some' && { scopes: offered.filter((each) => scopes.includes(each)) }),
          ...(type === 'pk' && linesOf(origins).length > 0 && { allowedOrigins: linesOf(origins) }),
          ...(until !== '' && { expiresAt: new Date(`${until}T00:00:00`).toISOString() }),
        },
        ...once,
      }),
    );
    props.onIssued(key);
  });
  const offered = SCOPES.filter(({ isPublic }) => type === 'sk' || isPublic).flatMap(({ about, verbs }) =>
    verbs.map((verb) => `${about}:${verb}` as Scope),
  );
  return (
    <ActDialog
      title={t('issue.title')}
      lead={<p>{t(env === 'live' ? 'issue.lead.live' : 'issue.lead.test', { site })}</p>}
      submit={t('issue')}
      isOpen
      act={act}
      onClose={props.onClose}
      onDone={props.onDone}
    >
      <TextField
        name="name"
        label={t('column.name')}
        hint={t('name.hint')}
        value={name}
        onInput={setName}
        maxLength={100}
        isRequired
        problem={act.problem}
      />
      <SelectField
        name="type"
        label={t('column.kind')}
        hint={t(`kind.${type}.hint`)}
        value={type}
        options={[
          ['sk', t('kind.sk')],
          ['pk', t('kind.pk')],
        ]}
        onPick={setType}
        problem={act.problem}
      />
      <SelectField
        name="reach"
        label={t('column.scopes')}
        value={reach}
        options={[
          ['all', t(`scopes.all.${type}`)],
          ['some', t('scopes.some')],
        ]}
        onPick={setReach}
      />
      {reach === 'some' && (
        <Fieldset legend={t('scopes.which')} isDense>
          {offered.map((scope) => (
            <CheckField
              key={scope}
              label={scopeText(scope)}
              value={scopes.includes(scope)}
              onToggle={(on) => setScopes(on ? [...scopes, scope] : scopes.filter((each) => each !== scope))}
            />
          ))}
        </Fieldset>
      )}
      {type === 'pk' && (
        <TextField
          name="allowedOrigins"
          label={t('origins.own')}
          hint={t('origins.own.hint')}
          value={origins}
          onInput={setOrigins}
          rows={2}
          isMono
          problem={act.problem}
        />
      )}
      <TextField
        name="expiresAt"
        type="date"
        label={t('column.ends')}
        hint={t('until.hint')}
        value={until}
        onInput={setUntil}
        problem={act.problem}
      />
    </ActDialog>
  );
}
