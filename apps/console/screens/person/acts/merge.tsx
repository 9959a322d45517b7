import { useState } from 'preact/hooks';
import { useAct } from '../../../api/act.js';
import { answered, api } from '../../../api/client.js';
import type { components } from '../../../api/schema.js';
import { say } from '../../../frame/said.js';
import { ActDialog, ReasonField, SelectField, TextField } from '../../../parts/form.js';
import { identifierKindsOf, kindName, shortId } from '../../../parts/identifier.js';
import { Note } from '../../../parts/states.js';
import { Table } from '../../../parts/table.js';
import { day } from '../../../words.js';
import { nameOf } from '../identity.js';
import { purposeName } from '../person.js';
import type { ActProps } from './acts.js';
import { code, t } from './words.js';

type Tried = components['schemas']['MergeResult'];
type Conflict = components['schemas']['MergeConflict'];
const POLICIES = ['MOST_RESTRICTIVE', 'MOST_RECENT', 'TARGET_WINS'] as const;

/** Makes another person part of this one: first what it would do, then the act. */
export function MergeWith(props: ActProps) {
  const { place, id, subject, purposes, onClose, onChange } = props;
  const [kind, setKind] = useState('email');
  const [value, setValue] = useState('');
  const [conflictPolicy, setPolicy] = useState<(typeof POLICIES)[number]>('MOST_RESTRICTIVE');
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState<Tried | null>(null);
  const merged = (dryRun: boolean, headers: object) =>
    answered(
      api.POST('/admin/v1/sites/{site}/{env}/subjects/merge', {
        ...headers,
        params: { path: place },
        body: {
          target: `subject:${id}`,
          sources: tried ? tried.merged.map((each) => `subject:${each}`) : [`${kind}:${value.trim()}`],
          conflictPolicy,
          dryRun,
          ...(reason !== '' && { reason }),
        },
      }),
    );
  const attempt = useAct(async () => setTried(await merged(true, {})));
  const act = useAct((once) => merged(false, once));
  const policies = POLICIES.map((each) => [each, t(`policy.${each}`)] as const);
  if (tried === null)
    return (
      <ActDialog
        title={t('merge')}
        lead={t('merge.lead', { name: nameOf(subject) })}
        submit={t('merge.try')}
        isOpen
        isStep
        act={attempt}
        onClose={onClose}
      >
        <div class="fields">
          <SelectField
            name="kind"
            label={t('merge.kind')}
            value={kind}
            options={identifierKindsOf(place).map((each) => [each, kindName(each)] as const)}
            onPick={setKind}
          />
          <TextField
            name="sources"
            label={t('merge.value')}
            value={value}
            isRequired
            maxLength={800}
            onInput={setValue}
            problem={attempt.problem}
          />
        </div>
        <SelectField
          name="conflictPolicy"
          label={t('merge.policy')}
          value={conflictPolicy}
          options={policies}
          onPick={setPolicy}
        />
      </ActDialog>
    );
  return (
    <ActDialog
      title={t('merge')}
      lead={t('merge.will', { who: tried.merged.map(shortId).join(', '), name: nameOf(subject) })}
      submit={t('merge.do')}
      isOpen
      act={act}
      onClose={onClose}
      onDone={() => {
        say(t('merge.done'));
        onChange();
      }}
    >
      {tried.conflicts.length === 0 ? (
        <Note tone="yes" icon="check">
          {t('merge.agree')}
        </Note>
      ) : (
        <>
          <p>{t('merge.differ', { n: tried.conflicts.length })}</p>
          <Table<Conflict>
            label={t('merge.conflicts')}
            rows={tried.conflicts}
            keyOf={({ purpose, field }) => purpose ?? field ?? ''}
            columns={[
              {
                title: t('merge.about'),
                cell: ({ purpose, field }) => (purpose ? purposeName(purposes, purpose) : field),
              },
              {
                title: t('merge.here'),
                cell: ({ values }) => stateOf(values.find(({ subject: whose }) => whose === id)),
              },
              {
                title: t('merge.there'),
                cell: ({ values }) => stateOf(values.find(({ subject: whose }) => whose !== id)),
              },
              {
                title: t('merge.chosen'),
                cell: ({ values, chosen }) => stateOf(values.find(({ subject: whose }) => whose === chosen)),
              },
            ]}
          />
        </>
      )}
      <ReasonField value={reason} onInput={setReason} problem={act.problem} />
    </ActDialog>
  );
}

const stateOf = (value: Conflict['values'][number] | undefined): string => (value ? code('said.', value.state) : '–');

/** Takes a merge back: each person has its own history again. */
export function Revert({ place, wanted, onClose, onChange }: ActProps) {
  const merge = wanted.merge!;
  const [reason, setReason] = useState('');
  const act = useAct((once) =>
    answered(
      api.POST('/admin/v1/sites/{site}/{env}/subjects/merge/{mergeId}/revert', {
        ...once,
        params: { path: { ...place, mergeId: merge.id } },
        body: { reason },
      }),
    ),
  );
  return (
    <ActDialog
      title={t('revert')}
      lead={t('revert.lead', { who: merge.absorbed.map(shortId).join(', '), day: day(merge.at) })}
      submit={t('revert.do')}
      isOpen
      act={act}
      onClose={onClose}
      onDone={() => {
        say(t('revert.done'));
        onChange();
      }}
    >
      <ReasonField value={reason} onInput={setReason} problem={act.problem} />
    </ActDialog>
  );
}
