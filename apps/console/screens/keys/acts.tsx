import { useState } from 'preact/hooks';
import { useAct } from '../../api/act.js';
import { answered, api } from '../../api/client.js';
import type { components } from '../../api/schema.js';
import { say } from '../../frame/said.js';
import { ActDialog, ReasonField, SelectField } from '../../parts/form.js';
import { Note } from '../../parts/states.js';
import { distance } from '../../words.js';
import type { Place } from '../../session.js';
import { keyWords as t } from './words.js';

export type Key = components['schemas']['ListedKey'];

/** `sk_test_…x9Qz`: what a key is recognised by, without its secret. */
export const shownKey = ({ type, env, last4 }: Key): string => `${type}_${env}_…${last4}`;

const OVERLAPS = ['24h', '7d', '1h', '0'] as const;
type Overlap = (typeof OVERLAPS)[number];

interface ActProps {
  readonly listed: Key;
  readonly place: Place;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

const used = ({ lastUsedAt }: Key): string =>
  lastUsedAt === null ? t('used.never.long') : t('used.long', { when: distance(lastUsedAt) });

export function RotateDialog(props: ActProps & { readonly onIssued: (secret: string) => void }) {
  const { listed, place } = props;
  const [overlap, setOverlap] = useState<Overlap>('24h');
  const [reason, setReason] = useState('');
  const act = useAct(async (once) => {
    const { key } = await answered(
      api.POST('/admin/v1/sites/{site}/keys/{id}/rotate', {
        params: { path: { site: place.site, id: listed.id } },
        body: { overlap, ...(reason.trim() !== '' && { reason: reason.trim() }) },
        ...once,
      }),
    );
    props.onIssued(key);
  });
  return (
    <ActDialog
      title={t('rotate.title', { name: listed.name })}
      lead={<p>{t('rotate.lead', { key: shownKey(listed) })}</p>}
      submit={t('rotate.submit')}
      isOpen
      act={act}
      onClose={props.onClose}
      onDone={props.onDone}
    >
      <SelectField
        name="overlap"
        label={t('overlap')}
        hint={t('overlap.hint')}
        value={overlap}
        options={OVERLAPS.map((each) => [each, t(`overlap.${each}`)] as const)}
        onPick={setOverlap}
        problem={act.problem}
      />
      {overlap === '0' && <Note tone="wait">{t('overlap.0.hint')}</Note>}
      <ReasonField value={reason} onInput={setReason} problem={act.problem} isRequired={false} />
    </ActDialog>
  );
}

export function RevokeDialog(props: ActProps) {
  const { listed, place } = props;
  const [reason, setReason] = useState('');
  const act = useAct(async (once) => {
    await answered(
      api.POST('/admin/v1/sites/{site}/keys/{id}/revoke', {
        params: { path: { site: place.site, id: listed.id } },
        body: { reason: reason.trim() },
        ...once,
      }),
    );
    say(t('revoked', { name: listed.name }));
  });
  return (
    <ActDialog
      title={t('revoke.title', { name: listed.name })}
      lead={
        <>
          <p>{t(listed.type === 'sk' ? 'revoke.lead.sk' : 'revoke.lead.pk', { key: shownKey(listed) })}</p>
          <p>{used(listed)}</p>
        </>
      }
      submit={t('revoke.submit')}
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
