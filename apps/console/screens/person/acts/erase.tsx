import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { at } from '../../../addresses.js';
import { useAct } from '../../../api/act.js';
import { answered, api } from '../../../api/client.js';
import { say } from '../../../frame/said.js';
import { ActDialog, CheckField, SelectField } from '../../../parts/form.js';
import { Note } from '../../../parts/states.js';
import { nameOf } from '../identity.js';
import type { ActProps } from './acts.js';
import { t } from './words.js';

const REASONS = [
  'DATA_SUBJECT_REQUEST',
  'CONSENT_WITHDRAWN',
  'NO_LONGER_NECESSARY',
  'UNLAWFUL_PROCESSING',
  'LEGAL_OBLIGATION',
  'OTHER',
] as const;

/** Erases a person in two steps: what it means, then the act. It cannot be taken back. */
export function Erase({ place, id, subject, onClose }: ActProps) {
  const { route } = useLocation();
  const [reason, setReason] = useState<(typeof REASONS)[number]>('DATA_SUBJECT_REQUEST');
  const [isSure, setSure] = useState(false);
  const [isLast, setLast] = useState(false);
  const next = useAct(async () => setLast(true));
  const act = useAct((once) =>
    answered(
      api.POST('/admin/v1/sites/{site}/{env}/subjects/{ref}/erase', {
        ...once,
        params: { path: { ...place, ref: id } },
        body: { reason },
      }),
    ),
  );
  const name = nameOf(subject);
  if (!isLast)
    return (
      <ActDialog
        title={t('erase')}
        lead={t('erase.lead', { name })}
        submit={t('erase.next')}
        isOpen
        isStep
        act={next}
        onClose={onClose}
      >
        <ul>
          <li>{t('erase.gone')}</li>
          <li>{t('erase.merged')}</li>
          <li>{t('erase.kept')}</li>
          <li>{t('erase.receipt')}</li>
        </ul>
        <SelectField
          name="reason"
          label={t('erase.reason')}
          value={reason}
          options={REASONS.map((each) => [each, t(`erase.reason.${each}`)] as const)}
          onPick={setReason}
        />
      </ActDialog>
    );
  return (
    <ActDialog
      title={t('erase.last')}
      submit={t('erase.do')}
      look="danger"
      isOpen
      isOff={!isSure}
      act={act}
      onClose={onClose}
      onDone={() => {
        say(t('erase.done'));
        route(at(place, 'people'));
      }}
    >
      <Note tone="no">{t('erase.never')}</Note>
      <CheckField label={t('erase.sure', { name })} value={isSure} onToggle={setSure} />
    </ActDialog>
  );
}
