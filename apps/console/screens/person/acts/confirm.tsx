import { useState } from 'preact/hooks';
import { useAct } from '../../../api/act.js';
import { answered, api } from '../../../api/client.js';
import { useResource } from '../../../api/resource.js';
import type { components } from '../../../api/schema.js';
import { say } from '../../../frame/said.js';
import { CopyButton } from '../../../parts/button.js';
import { ActDialog, CheckField, Dialog, TextField } from '../../../parts/form.js';
import { Loaded } from '../../../parts/states.js';
import { sites } from '../../../session.js';
import { moment } from '../../../words.js';
import { nameOf } from '../identity.js';
import type { ActProps } from './acts.js';
import { t } from './words.js';

/** Asks the owner of an address to confirm by a link (double opt-in). */
export function Confirm({ place, id, subject, onClose, onChange }: ActProps) {
  const domain = sites.value.find(({ site }) => site === place.site)?.domains[0] ?? '';
  const [to, setTo] = useState('');
  const [redirectUrl, setRedirect] = useState(domain && `https://${domain}/`);
  const [wanted, setWanted] = useState<readonly string[]>([]);
  const [made, setMade] = useState<components['schemas']['ConfirmationToken'] | null>(null);
  const topics = useResource(async () => {
    const params = { path: { ...place, ref: id } };
    const { channels } = await answered(api.GET('/admin/v1/sites/{site}/{env}/subjects/{ref}/preferences', { params }));
    const open = Object.entries(channels['email']?.topics ?? {}).filter(([, { state }]) => state !== 'GRANTED');
    return open.map(([topic]) => topic);
  }, [id]);
  const act = useAct(async (once) => {
    const made = await answered(
      api.POST('/admin/v1/sites/{site}/{env}/preferences/confirmation-token', {
        ...once,
        params: { path: place },
        body: {
          subject: `subject:${id}`,
          channel: 'email',
          redirectUrl,
          values: wanted.map((field) => ({ field, value: true })),
          ...(to !== '' && { to: to.trim() }),
        },
      }),
    );
    onChange();
    if (to === '') return setMade(made);
    say(t('confirm.done'));
    onClose();
  });
  if (made)
    return (
      <Dialog title={t('confirm')} isOpen onClose={onClose}>
        <p>{t('confirm.made', { when: moment(made.expiresAt) })}</p>
        <pre class="link">{made.confirmUrl}</pre>
        <div class="acts">
          <CopyButton text={made.confirmUrl}>{t('copy-link')}</CopyButton>
        </div>
      </Dialog>
    );
  return (
    <ActDialog
      title={t('confirm')}
      lead={t('confirm.lead', { name: nameOf(subject) })}
      submit={to === '' ? t('confirm.make') : t('confirm.do')}
      isOpen
      isStep
      isOff={wanted.length === 0}
      act={act}
      onClose={onClose}
    >
      <Loaded of={topics} empty={<p>{t('confirm.nothing')}</p>}>
        {(open) => (
          <fieldset>
            <legend>{t('confirm.topics')}</legend>
            {open.map((topic) => (
              <CheckField
                key={topic}
                label={topic.replace(/_/g, ' ')}
                value={wanted.includes(topic)}
                onToggle={(isOn) => setWanted(isOn ? [...wanted, topic] : wanted.filter((each) => each !== topic))}
              />
            ))}
          </fieldset>
        )}
      </Loaded>
      <TextField
        name="to"
        label={t('confirm.to')}
        hint={t('confirm.to.hint')}
        type="email"
        maxLength={320}
        value={to}
        onInput={setTo}
        problem={act.problem}
      />
      <TextField
        name="redirectUrl"
        label={t('confirm.redirect')}
        type="url"
        isRequired
        maxLength={2048}
        value={redirectUrl}
        onInput={setRedirect}
        problem={act.problem}
      />
    </ActDialog>
  );
}
