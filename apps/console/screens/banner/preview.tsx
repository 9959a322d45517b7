import { useEffect, useMemo, useState } from 'preact/hooks';
import { answered, api } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { Button, Chips } from '../../parts/button.js';
import { SelectField, TextField } from '../../parts/form.js';
import { Card } from '../../parts/page.js';
import { Loaded, Note } from '../../parts/states.js';
import type { Place } from '../../session.js';
import { countryName, languageName } from '../../words.js';
import type { CatalogueFiles } from '../purposes/catalogue.js';
import { localesOf, type BannerFile, type Shown } from './file.js';
import { Findings, Passed } from './findings.js';
import { PreviewFrame, type Check } from './frame.js';
import { words as t } from './words.js';

/** How long typing rests before the service is asked, in milliseconds. */
const REST_MS = 350;
/** Places to look from first; any other is typed. */
const PLACES = ['DE', 'FR', 'GB', 'CH', 'US-CA', 'US', 'BR', 'IN', 'JP'];

/** The banner as people at a place would see it, in their language, and what is wrong with it. */
export function Preview(props: { readonly place: Place; readonly files: CatalogueFiles; readonly file: BannerFile }) {
  const { place } = props;
  const file = useRested(props.file);
  const [where, setWhere] = useState('DE');
  const [other, setOther] = useState('');
  const [locale, setLocale] = useState('');
  const country = other.length >= 2 ? other : where;
  const isPlace = /^[A-Z]{2}(-[A-Z0-9]{1,3})?$/.test(country);
  const shown = useResource(
    () =>
      answered(
        api.POST('/admin/v1/sites/{site}/{env}/banner/preview', {
          params: { path: { ...place } },
          body: {
            files: { ...props.files, banner: file },
            country: country.slice(0, 2),
            ...(country.length > 2 && { region: country }),
            ...(locale !== '' && { locale }),
          },
        }),
      ),
    [file, isPlace ? country : null, locale],
  );
  return (
    <div class="grid">
      <Card title={t('look')}>
        <div class="fields">
          <SelectField
            name="country"
            label={t('place')}
            value={where}
            options={PLACES.map((each) => [each, placeName(each)] as const)}
            onPick={(each) => {
              setWhere(each);
              setOther('');
            }}
          />
          <TextField
            name="other"
            label={t('place.other')}
            hint={t('place.other.hint')}
            value={other}
            maxLength={6}
            onInput={(each) => setOther(each.toUpperCase())}
          />
          <SelectField
            name="locale"
            label={t('language')}
            value={locale}
            options={[
              ['', t('language.own')] as const,
              ...localesOf(file).map((each) => [each, languageName(each)] as const),
            ]}
            onPick={setLocale}
          />
        </div>
        <Loaded of={shown}>{(answer) => <Seen answer={answer} />}</Loaded>
      </Card>
      <Loaded of={shown}>{({ findings }) => <Findings findings={findings} />}</Loaded>
    </div>
  );
}

const placeName = (place: string): string =>
  place.length > 2 ? `${countryName(place)}, ${place.slice(3)}` : countryName(place);

/** The newest value, once it has not changed for a moment. */
function useRested<T>(value: T): T {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), REST_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return rested;
}

function Seen({ answer }: { readonly answer: Shown }) {
  const [layer, setLayer] = useState<'1' | '2'>('1');
  const [scheme, setScheme] = useState<'light' | 'dark'>('light');
  const [width, setWidth] = useState<'wide' | 'phone'>('wide');
  const [direction, setDirection] = useState<'own' | 'RTL'>('own');
  const [turn, setTurn] = useState(0);
  const [pressed, setPressed] = useState<string | null | undefined>(undefined);
  const [checks, setChecks] = useState<readonly Check[]>([]);
  const { banner } = answer;
  const look = useMemo(
    () => ({
      banner: direction === 'RTL' ? { ...banner, direction: 'RTL' } : banner,
      layer: Number(layer) as 1 | 2,
      scheme,
    }),
    [banner, layer, scheme, direction, turn],
  );
  return (
    <>
      <div class="views">
        <Chips
          label={t('layer')}
          value={layer}
          options={[['1', t('layer.1')] as const, ['2', t('layer.2')] as const]}
          onPick={setLayer}
        />
        <Chips
          label={t('scheme')}
          value={scheme}
          options={[['light', t('scheme.light')] as const, ['dark', t('scheme.dark')] as const]}
          onPick={setScheme}
        />
        <Chips
          label={t('width')}
          value={width}
          options={[['wide', t('width.wide')] as const, ['phone', t('width.phone')] as const]}
          onPick={setWidth}
        />
        <Chips
          label={t('direction')}
          value={direction}
          options={[['own', t('direction.own')] as const, ['RTL', t('direction.rtl')] as const]}
          onPick={setDirection}
        />
      </div>
      <p class="small">
        {t(`of.${answer.of as 'FILES'}`)}{' '}
        {t('law', {
          model: t(`model.${banner.presentation as 'OPT_IN'}`),
          regulation: banner.policy.regulation ?? t('law.none'),
        })}
      </p>
      {banner.presentation === 'NONE' && <Note>{t('nothing')}</Note>}
      <PreviewFrame
        look={look}
        width={width}
        onShown={(measured) => {
          setPressed(undefined);
          setChecks(measured);
        }}
        onPressed={setPressed}
      />
      <div aria-live="polite">
        {pressed !== undefined && (
          <p class="views">
            {pressed === null ? t('pressed.closed') : t('pressed', { action: t(`action.${pressed as 'SAVE'}`) })}{' '}
            <Button onPress={() => setTurn(turn + 1)}>{t('pressed.again')}</Button>
          </p>
        )}
      </div>
      <Measured checks={checks} />
    </>
  );
}

function Measured({ checks }: { readonly checks: readonly Check[] }) {
  if (checks.length === 0) return null;
  return (
    <>
      <h3>{t('measured')}</h3>
      <ul class="checks">
        {checks.map(({ check, passed, measured }) => (
          <li key={check}>
            <Passed isPassed={passed} /> {t(`check.${check as 'EQUAL_SIZE'}`)} <code>{measured}</code>
          </li>
        ))}
      </ul>
    </>
  );
}
