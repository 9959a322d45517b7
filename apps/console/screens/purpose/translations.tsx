import { useState } from 'preact/hooks';
import { Badge } from '../../parts/badge.js';
import { Button, Chips } from '../../parts/button.js';
import { TextField } from '../../parts/form.js';
import { languageName } from '../../words.js';
import type { PurposeFile } from '../purposes/catalogue.js';
import { words as t } from './words.js';

const TEXTS = ['name', 'description', 'legalText'] as const;
const LONGEST = { name: 200, description: 4_000, legalText: 20_000 } as const;
const ROWS = { name: 1, description: 3, legalText: 4 } as const;
/** BCP 47, as far as the catalogue takes it. */
const TAG = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/;

/** The words of a purpose, language by language, with what each of them lacks. */
export function Translations(props: {
  readonly file: PurposeFile;
  readonly onChange: (part: Pick<PurposeFile, 'translations' | 'defaultLocale'>) => void;
}) {
  const { file } = props;
  const translations = file.translations ?? {};
  const locales = Object.keys(translations);
  const [picked, setPicked] = useState(file.defaultLocale ?? locales[0] ?? '');
  const [added, setAdded] = useState('');
  const locale = locales.includes(picked) ? picked : (locales[0] ?? '');
  const text = translations[locale];
  const put = (changed: PurposeFile['translations']) =>
    props.onChange({ translations: changed!, defaultLocale: file.defaultLocale ?? locale });
  const isWhole = (each: string) => TEXTS.every((name) => (translations[each]?.[name] ?? '').trim() !== '');
  return (
    <>
      <div class="views">
        <Chips
          label={t('language')}
          value={locale}
          options={locales.map((each) => [each, languageName(each) + (isWhole(each) ? '' : ' …')] as const)}
          onPick={setPicked}
        />
        {locale !== '' && (
          <Badge tone={isWhole(locale) ? 'yes' : 'wait'}>
            {t(isWhole(locale) ? 'language.whole' : 'language.part')}
          </Badge>
        )}
      </div>
      {text && (
        <div key={locale} lang={locale}>
          {TEXTS.map((name) => (
            <TextField
              key={name}
              name={name}
              label={t(`field.${name}`)}
              hint={t(`field.${name}.hint`)}
              rows={ROWS[name]}
              maxLength={LONGEST[name]}
              value={text[name] ?? ''}
              onInput={(value) => put({ ...translations, [locale]: { ...text, [name]: value } })}
            />
          ))}
        </div>
      )}
      <div class="views add-language">
        <TextField
          name="locale"
          label={t('language.add')}
          hint={t('language.add.hint')}
          value={added}
          maxLength={35}
          onInput={setAdded}
        />
        <Button
          icon="plus"
          isOff={!TAG.test(added) || locales.includes(added)}
          onPress={() => {
            put({ ...translations, [added]: { name: '', description: '' } });
            setPicked(added);
            setAdded('');
          }}
        >
          {t('language.add')}
        </Button>
      </div>
    </>
  );
}
