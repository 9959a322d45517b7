import { LANGUAGES, language, speak, type Language } from '../words.js';
import { frameWords as t } from './words.js';

export function LanguageChoice() {
  return (
    <label class="language">
      <span class="unseen">{t('language')}</span>
      <select value={language.value} onChange={({ currentTarget }) => speak(currentTarget.value as Language)}>
        {Object.entries(LANGUAGES).map(([code, name]) => (
          <option key={code} value={code} lang={code}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
