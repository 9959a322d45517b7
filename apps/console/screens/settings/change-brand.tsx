import { useState } from 'preact/hooks';
import { useAct } from '../../api/act.js';
import { answered, api } from '../../api/client.js';
import { say } from '../../frame/said.js';
import { ActDialog, CheckField, SelectField, TextField } from '../../parts/form.js';
import type { Site } from '../../session.js';
import { languageName } from '../../words.js';
import type { Brand } from './brand.js';
import { settingWords as t } from './words.js';

const TEXTS = ['displayName', 'imprintUrl', 'privacyUrl'] as const;
type Texts = Readonly<Record<string, string>>;
const LOGO_BYTES_MAX = 32 * 1024;

/** Names, addresses, colours and logo. The service refuses colours that people could not tell from the page, and names a shade that does. */
export function ChangeBrand(props: {
  readonly of: Brand;
  readonly site: Site;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const { of, site } = props;
  const [texts, setTexts] = useState<Readonly<Record<(typeof TEXTS)[number], Texts>>>(of);
  const [light, setLight] = useState(of.accentColor ?? '');
  const [dark, setDark] = useState(of.accentColorDark ?? '');
  const [after, setAfter] = useState(of.afterConfirming as 'PAGE' | 'REDIRECT');
  const [logo, setLogo] = useState<string | null>(null);
  const [isTooLarge, setTooLarge] = useState(false);
  const [isWithoutLogo, setWithoutLogo] = useState(false);
  const act = useAct(async (once) => {
    await answered(
      api.POST('/admin/v1/sites/{site}/brand', {
        params: { path: { site: site.site } },
        body: {
          ...Object.fromEntries(TEXTS.map((each) => [each, filled(texts[each])])),
          accentColor: light.trim() || null,
          accentColorDark: dark.trim() || null,
          afterConfirming: after,
          ...(isWithoutLogo ? { logo: null } : logo !== null && { logo: { data: logo } }),
        },
        ...once,
      }),
    );
    say(t('brand.changed'));
  });
  const choose = async (file: File | undefined) => {
    setTooLarge(file !== undefined && file.size > LOGO_BYTES_MAX);
    setLogo(file === undefined || file.size > LOGO_BYTES_MAX ? null : await base64Of(file));
  };
  const colour = (name: 'accentColor' | 'accentColorDark', value: string, onInput: (value: string) => void) => (
    <TextField
      name={name}
      label={t(name === 'accentColor' ? 'colour.light' : 'colour.dark')}
      hint={t(name === 'accentColor' ? 'colour.hint' : 'colour.dark.hint')}
      placeholder="#0b57b0"
      value={value}
      onInput={onInput}
      maxLength={7}
      isMono
      problem={act.problem}
    />
  );
  return (
    <ActDialog
      title={t('brand.change')}
      lead={<p>{t('brand.lead')}</p>}
      submit={t('save')}
      isOpen
      act={act}
      onClose={props.onClose}
      onDone={props.onDone}
    >
      <div class="fields">
        {colour('accentColor', light, setLight)}
        {colour('accentColorDark', dark, setDark)}
      </div>
      {TEXTS.map((field) => (
        <div class="fields" key={field}>
          {site.languages.map((tag) => (
            <TextField
              key={tag}
              name={`${field}.${tag}`}
              label={t('in', { what: t(`field.${field}`), language: languageName(tag) })}
              type={field === 'displayName' ? 'text' : 'url'}
              value={texts[field][tag] ?? ''}
              onInput={(value) => setTexts({ ...texts, [field]: { ...texts[field], [tag]: value } })}
              problem={act.problem}
            />
          ))}
        </div>
      ))}
      <SelectField
        name="afterConfirming"
        label={t('after')}
        value={after}
        options={[
          ['REDIRECT', t('after.REDIRECT')],
          ['PAGE', t('after.PAGE')],
        ]}
        onPick={setAfter}
        problem={act.problem}
      />
      <div class="field">
        <label for="brand-logo">{t('brand.logo')}</label>
        <p class="hint" id="brand-logo-hint">
          {t('logo.hint')}
        </p>
        <input
          id="brand-logo"
          type="file"
          accept="image/png,image/jpeg,image/webp"
          aria-describedby="brand-logo-hint"
          aria-invalid={isTooLarge}
          onChange={({ currentTarget }) => void choose(currentTarget.files?.[0])}
        />
        {isTooLarge && <p class="issue">{t('logo.large')}</p>}
      </div>
      {of.logo !== null && <CheckField label={t('logo.remove')} value={isWithoutLogo} onToggle={setWithoutLogo} />}
    </ActDialog>
  );
}

/** Texts that say something; null: there is none. */
function filled(texts: Texts): Texts | null {
  const kept = Object.entries(texts).filter(([, text]) => text.trim() !== '');
  return kept.length === 0 ? null : Object.fromEntries(kept);
}

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
