import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { ScreenProps } from '../../app.js';
import { at } from '../../addresses.js';
import { useAct } from '../../api/act.js';
import { answered, api } from '../../api/client.js';
import { referenceOf } from '../../frame/palette.js';
import { Button } from '../../parts/button.js';
import { FormTrouble, SelectField, TextField } from '../../parts/form.js';
import { identifierKindsOf, kindName } from '../../parts/identifier.js';
import { Card, Page } from '../../parts/page.js';
import { Empty, Note } from '../../parts/states.js';
import { wordsOf } from '../../words.js';
import table from './words.json';

const t = wordsOf(table);

/** Finds one person. There is no list, and what was typed is kept nowhere. */
export default function People({ place }: ScreenProps) {
  const { route } = useLocation();
  const [picked, setPicked] = useState<string | null>(null);
  const [typed, setTyped] = useState('');
  // Until the operator picks a kind, it follows from what is typed.
  const guessed = typed.trim() === '' ? { kind: 'email', value: '' } : referenceOf(typed.trim());
  const { kind, value } = picked === null ? guessed : { kind: picked, value: typed.trim() };
  const lookUp = useAct(async () => {
    const params = { path: place };
    const { subject } = await answered(
      api.POST('/admin/v1/sites/{site}/{env}/subjects/lookup', { params, body: { kind, value } }),
    );
    route(at(place, 'people', subject.id));
  });
  const isUnknown = lookUp.problem?.kind === 'missing';
  return (
    <Page title={t('title')} lead={t('lead')}>
      <div class="grid g-main">
        <Card title={t('look-up')}>
          <form
            class="look-up"
            onSubmit={(event) => {
              event.preventDefault();
              void lookUp.run();
            }}
          >
            <FormTrouble problem={isUnknown ? null : lookUp.problem} />
            <div class="fields">
              <SelectField
                name="kind"
                label={t('by')}
                value={kind}
                options={identifierKindsOf(place).map((each) => [each, kindName(each)] as const)}
                onPick={setPicked}
              />
              <TextField
                name="value"
                label={t('value')}
                value={typed}
                isRequired
                isFirst
                maxLength={800}
                onInput={(text) => {
                  setTyped(text);
                  lookUp.reset();
                }}
              />
            </div>
            <p class="hint">{t('value.hint')}</p>
            <div class="acts">
              <Button type="submit" look="main" icon="search" isBusy={lookUp.isBusy}>
                {t('look-up')}
              </Button>
            </div>
            <div role="status">
              {isUnknown && (
                <Empty icon="search" title={t('unknown')}>
                  {t('unknown.why')}
                </Empty>
              )}
            </div>
          </form>
        </Card>
        <Note>{t('counted')}</Note>
      </div>
    </Page>
  );
}
