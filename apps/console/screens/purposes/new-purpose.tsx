import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useAct } from '../../api/act.js';
import { at } from '../../addresses.js';
import { ActDialog, TextField } from '../../parts/form.js';
import type { Place } from '../../session.js';
import { language } from '../../words.js';
import { placeOf, saveDraft, withPurpose, type Draft } from './catalogue.js';
import { words as t } from './words.js';

/** Begins a purpose in the draft, and goes on with its texts. */
export function NewPurposeDialog(props: {
  readonly place: Place;
  readonly draft: Draft;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}) {
  const { place, draft } = props;
  const { route } = useLocation();
  const [key, setKey] = useState('');
  const act = useAct(async (once) => {
    if (placeOf(draft.files, key) !== null) return;
    const begun = {
      ...{ key, legalBasis: 'CONSENT', consentModel: 'OPT_IN', category: 'OTHER' },
      ...{ defaultLocale: language.value, translations: { [language.value]: { name: '', description: '' } } },
    };
    await saveDraft(place, draft, withPurpose(draft.files, begun), once);
  });
  return (
    <ActDialog
      title={t('new.title')}
      lead={<p>{t('new.lead')}</p>}
      submit={t('new.submit')}
      isOpen={props.isOpen}
      act={act}
      onClose={props.onClose}
      onDone={() => route(`${at(place, 'purposes', key)}?edit`)}
    >
      <TextField
        name="key"
        label={t('new.key')}
        hint={t('new.key.hint')}
        value={key}
        onInput={setKey}
        maxLength={64}
        isMono
        isRequired
      />
    </ActDialog>
  );
}
