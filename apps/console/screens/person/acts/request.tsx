import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { at } from '../../../addresses.js';
import { useAct } from '../../../api/act.js';
import { answered, api } from '../../../api/client.js';
import { say } from '../../../frame/said.js';
import { ActDialog, SelectField, TextField } from '../../../parts/form.js';
import { may } from '../../../session.js';
import { nameOf } from '../identity.js';
import type { ActProps } from './acts.js';
import { t } from './words.js';

const TYPES = [
  'ACCESS',
  'ERASURE',
  'RECTIFICATION',
  'RESTRICTION',
  'OBJECTION',
  'PORTABILITY',
  'WITHDRAW_ALL',
  'OPT_OUT_SALE_SHARE',
  'OPT_OUT_TARGETED_ADS',
  'OPT_OUT_PROFILING',
  'LIMIT_SENSITIVE',
  'KNOW_CATEGORIES',
  'APPEAL',
  'COMPLAINT',
] as const;
const SOURCES = ['PHONE', 'EMAIL', 'POST'] as const;

/** Opens a data request for the person; the law's period begins with it. */
export function OpenRequest({ place, id, subject, onClose, onChange }: ActProps) {
  const { route } = useLocation();
  const [type, setType] = useState<(typeof TYPES)[number]>('ACCESS');
  const [source, setSource] = useState<(typeof SOURCES)[number]>('PHONE');
  const [details, setDetails] = useState('');
  const act = useAct(async (once) => {
    const request = await answered(
      api.POST('/admin/v1/sites/{site}/{env}/data-requests', {
        ...once,
        params: { path: place },
        body: { subject: `subject:${id}`, type, source, ...(details !== '' && { details }) },
      }),
    );
    say(t('request.done'));
    if (may('getSiteDataRequest', place)) route(at(place, 'requests', request.id));
    else onChange();
  });
  return (
    <ActDialog
      title={t('request')}
      lead={t('request.lead', { name: nameOf(subject) })}
      submit={t('request.do')}
      isOpen
      act={act}
      onClose={onClose}
    >
      <SelectField
        name="type"
        label={t('request.type')}
        value={type}
        options={TYPES.map((each) => [each, t(`request.${each}`)] as const)}
        onPick={setType}
        problem={act.problem}
      />
      <SelectField
        name="source"
        label={t('request.source')}
        value={source}
        options={SOURCES.map((each) => [each, t(`request.source.${each}`)] as const)}
        onPick={setSource}
        problem={act.problem}
      />
      <TextField
        name="details"
        label={t('request.details')}
        hint={t('request.details.hint')}
        rows={3}
        maxLength={2000}
        value={details}
        onInput={setDetails}
        problem={act.problem}
      />
    </ActDialog>
  );
}
