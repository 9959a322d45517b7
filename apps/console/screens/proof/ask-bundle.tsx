import { useState } from 'preact/hooks';
import { useAct } from '../../api/act.js';
import { answered, api } from '../../api/client.js';
import { say } from '../../frame/said.js';
import { referenceOf } from '../../frame/palette.js';
import { ActDialog, SelectField, TextField } from '../../parts/form.js';
import type { Place } from '../../session.js';
import { proofWords as t } from './words.js';

/** A bundle about one person, who is looked up first, or about everybody since a date. */
export function AskBundle(props: {
  readonly place: Place;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const path = { site: props.place.site, env: props.place.env };
  const [about, setAbout] = useState<'person' | 'all'>('person');
  const [person, setPerson] = useState('');
  const [since, setSince] = useState('');
  const act = useAct(async (once) => {
    const body =
      about === 'all'
        ? { since: new Date(`${since}T00:00:00`).toISOString() }
        : { subject: `subject:${await found(path, person.trim())}` };
    await answered(api.POST('/admin/v1/sites/{site}/{env}/audit-bundles', { params: { path }, body, ...once }));
    setPerson('');
    say(t('bundle.queued'));
  });
  return (
    <ActDialog
      title={t('bundles.ask')}
      lead={<p>{t('bundle.lead')}</p>}
      submit={t('bundle.submit')}
      isOpen={props.isOpen}
      act={act}
      onClose={props.onClose}
      onDone={props.onDone}
    >
      <SelectField
        name="about"
        label={t('bundle.about')}
        value={about}
        options={[
          ['person', t('bundle.about.person')],
          ['all', t('bundle.about.all')],
        ]}
        onPick={setAbout}
      />
      {about === 'person' ? (
        <TextField
          name="subject"
          label={t('bundle.who')}
          hint={t('bundle.who.hint')}
          value={person}
          onInput={setPerson}
          isRequired
          problem={act.problem}
        />
      ) : (
        <TextField
          name="since"
          type="date"
          label={t('bundle.from')}
          hint={t('bundle.from.hint')}
          value={since}
          onInput={setSince}
          isRequired
          problem={act.problem}
        />
      )}
    </ActDialog>
  );
}

async function found(path: { site: string; env: string }, typed: string): Promise<string> {
  const { kind, value } = referenceOf(typed);
  const { subject } = await answered(
    api.POST('/admin/v1/sites/{site}/{env}/subjects/lookup', { params: { path }, body: { kind, value } }),
  );
  return subject.id;
}
