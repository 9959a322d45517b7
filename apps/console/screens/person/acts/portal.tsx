import { useState } from 'preact/hooks';
import { useAct } from '../../../api/act.js';
import { answered, api } from '../../../api/client.js';
import type { components } from '../../../api/schema.js';
import { CopyButton } from '../../../parts/button.js';
import { ActDialog, Dialog } from '../../../parts/form.js';
import { distance } from '../../../words.js';
import { nameOf } from '../identity.js';
import type { ActProps } from './acts.js';
import { t } from './words.js';

/** Makes a short-lived link with which the person gets into the own portal. */
export function Portal({ place, id, subject, onClose }: ActProps) {
  const [made, setMade] = useState<components['schemas']['PortalToken'] | null>(null);
  const act = useAct(async () => {
    const body = { subject: `subject:${id}`, expiresInSeconds: 900 };
    setMade(await answered(api.POST('/admin/v1/sites/{site}/{env}/portal-tokens', { params: { path: place }, body })));
  });
  if (made)
    return (
      <Dialog title={t('portal')} isOpen onClose={onClose}>
        <p>{t('portal.made', { when: distance(made.expiresAt) })}</p>
        <pre class="link">{made.url}</pre>
        <div class="acts">
          <CopyButton text={made.url}>{t('copy-link')}</CopyButton>
        </div>
      </Dialog>
    );
  return (
    <ActDialog
      title={t('portal')}
      lead={t('portal.lead', { name: nameOf(subject) })}
      submit={t('portal.do')}
      isOpen
      isStep
      act={act}
      onClose={onClose}
    />
  );
}
