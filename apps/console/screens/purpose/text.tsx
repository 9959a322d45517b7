import { useState } from 'preact/hooks';
import { answered, api } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { Chips } from '../../parts/button.js';
import { Card } from '../../parts/page.js';
import { Loaded } from '../../parts/states.js';
import type { Place } from '../../session.js';
import { languageName } from '../../words.js';
import type { Purpose } from '../purposes/catalogue.js';
import { words as t } from './words.js';

/** A version of a purpose in a language. */
export const askVersion = (place: Place, key: string, version: number, locale?: string): Promise<Purpose> =>
  answered(
    api.GET('/admin/v1/sites/{site}/{env}/purposes/{key}/versions/{n}', {
      params: { path: { ...place, key, n: String(version) }, query: locale === undefined ? {} : { locale } },
    }),
  );

/** The newest words, as people read them, language by language. */
export function Text({ place, purpose }: { readonly place: Place; readonly purpose: Purpose }) {
  const { key, version, availableLocales } = purpose;
  const [locale, setLocale] = useState(purpose.locale);
  const shown = useResource(() => askVersion(place, key, version, locale), [key, version, locale]);
  return (
    <Card
      title={t('text')}
      end={
        <Chips
          label={t('language')}
          value={locale}
          options={availableLocales.map((each) => [each, languageName(each)] as const)}
          onPick={setLocale}
        />
      }
    >
      <Loaded of={shown}>
        {({ name, description, legalText }) => (
          <div class="shown-text" lang={locale} dir="auto">
            <h3>{name}</h3>
            <p>{description}</p>
            {legalText !== '' ? <p class="small">{legalText}</p> : <p class="small">{t('legal.none')}</p>}
          </div>
        )}
      </Loaded>
    </Card>
  );
}
