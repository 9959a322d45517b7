import { useState } from 'preact/hooks';
import { Chips } from '../../parts/button.js';
import { TextField } from '../../parts/form.js';
import { languageName } from '../../words.js';
import { localesOf, textAt, valueAt, withValue, type BannerFile } from './file.js';
import { words as t } from './words.js';

const PRESENTATIONS = ['optIn', 'optOut', 'noticeOnly'] as const;
const LABELS = [
  ...(['acceptAll', 'rejectAll', 'customize', 'save'] as const),
  ...(['acknowledge', 'doNotSell', 'close', 'privacyChoices'] as const),
];

/** The words of the banner in one language at a time: what is asked, by the law of the place, and the buttons. */
export function Texts(props: { readonly file: BannerFile; readonly onChange: (file: BannerFile) => void }) {
  const { file } = props;
  const locales = localesOf(file);
  const [picked, setLocale] = useState(textAt(file, ['defaultLocale']));
  const [kind, setKind] = useState<(typeof PRESENTATIONS)[number]>('optIn');
  const locale = locales.includes(picked) ? picked : (locales[0] ?? '');
  const at = (...path: string[]) => ({
    value: textAt(file, [...path, locale]),
    onInput: (value: string) => props.onChange(withValue(file, [...path, locale], value)),
  });
  const has = PRESENTATIONS.filter((name) => name === 'optIn' || valueAt(file, ['presentations', name]) !== undefined);
  return (
    <>
      <div class="views">
        <Chips
          label={t('language')}
          value={locale}
          options={locales.map((each) => [each, languageName(each)] as const)}
          onPick={setLocale}
        />
        <Chips
          label={t('kind')}
          value={kind}
          options={has.map((each) => [each, t(`kind.${each}`)] as const)}
          onPick={setKind}
        />
      </div>
      <div key={locale + kind} lang={locale}>
        <TextField name="title" label={t('title')} maxLength={200} {...at('presentations', kind, 'title')} />
        <TextField name="body" label={t('body')} rows={4} maxLength={4_000} {...at('presentations', kind, 'body')} />
      </div>
      <details>
        <summary>{t('labels')}</summary>
        <div class="fields" lang={locale}>
          {LABELS.map((name) => (
            <TextField
              key={name + locale}
              name={name}
              label={t(`label.${name}`)}
              maxLength={80}
              {...at('labels', name)}
            />
          ))}
          <TextField
            key={locale}
            name="privacyPolicy"
            label={t('privacy-policy')}
            type="url"
            {...at('links', 'privacyPolicy')}
          />
        </div>
      </details>
    </>
  );
}
