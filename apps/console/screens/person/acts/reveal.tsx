import { useState } from 'preact/hooks';
import { useAct } from '../../../api/act.js';
import { answered, api } from '../../../api/client.js';
import { ActDialog, ReasonField } from '../../../parts/form.js';
import type { ActProps } from './acts.js';
import { t } from './words.js';

/** Shows identifiers in clear, until they are masked again or the screen is left. */
export function Reveal({ place, id, onReveal, onClose, onChange }: ActProps) {
  const [reason, setReason] = useState('');
  const act = useAct(async () => {
    const params = { path: { ...place, id } };
    onReveal(
      await answered(api.POST('/admin/v1/sites/{site}/{env}/subjects/{id}/reveal', { params, body: { reason } })),
    );
  });
  return (
    <ActDialog
      title={t('reveal')}
      lead={t('reveal.lead')}
      submit={t('reveal.do')}
      isOpen
      act={act}
      onClose={onClose}
      onDone={onChange}
    >
      <ReasonField value={reason} onInput={setReason} problem={act.problem} />
    </ActDialog>
  );
}
