import { useState } from 'preact/hooks';
import type { components } from '../../api/schema.js';
import { Badge } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { Card, Fact, Facts } from '../../parts/page.js';
import { may, type Place, type Site } from '../../session.js';
import { language, languageName, number } from '../../words.js';
import { ChangeBrand } from './change-brand.js';
import { settingWords as t } from './words.js';

export type Brand = components['schemas']['Brand'];

/** Of text on a button (WCAG 2.2, 1.4.3). */
const TEXT_MIN = 4.5;
/** Of a button on its page (WCAG 2.2, 1.4.11). */
const PAGE_MIN = 3;

/** How pages behind links in mails look, and the mails. */
export function BrandCard(props: {
  readonly of: Brand;
  readonly site: Site;
  readonly place: Place;
  readonly onChange: () => void;
}) {
  const { of, site, place } = props;
  const [isChanging, setChanging] = useState(false);
  return (
    <Card
      title={t('brand')}
      end={may('changeBrand', place) && <Button onPress={() => setChanging(true)}>{t('brand.change')}</Button>}
    >
      <p class="small">{t('brand.where')}</p>
      <div class="how">
        <Facts>
          <Fact term={t('brand.name')}>{byLanguage(of.displayName, site.name)}</Fact>
          <Fact term={t('brand.logo')}>
            {of.logo === null
              ? t('none')
              : t('logo.size', { width: of.logo.width, height: of.logo.height, n: Math.ceil(of.logo.bytes / 1024) })}
          </Fact>
          <Fact term={t('brand.imprint')}>{byLanguage(of.imprintUrl, t('none'))}</Fact>
          <Fact term={t('brand.privacy')}>{byLanguage(of.privacyUrl, t('none'))}</Fact>
          <Fact term={t('after')}>{t(of.afterConfirming === 'PAGE' ? 'after.PAGE' : 'after.REDIRECT')}</Fact>
        </Facts>
      </div>
      {of.contrast === null ? (
        <p class="small how">{t('colour.none')}</p>
      ) : (
        <div class="swatches">
          <Swatch of={of.contrast.light} title={t('colour.light')} ground="#ffffff" ink="#1b1c1a" />
          <Swatch of={of.contrast.dark} title={t('colour.dark')} ground="#131412" ink="#f0f0ec" />
        </div>
      )}
      {isChanging && <ChangeBrand of={of} site={site} onClose={() => setChanging(false)} onDone={props.onChange} />}
    </Card>
  );
}

function byLanguage(texts: Readonly<Record<string, string>>, none: string) {
  const entries = Object.entries(texts);
  if (entries.length === 0) return <>{none}</>;
  return (
    <ul class="plain-list">
      {entries.map(([tag, text]) => (
        <li key={tag}>
          {languageName(tag)}: <span lang={tag}>{text}</span>
        </li>
      ))}
    </ul>
  );
}

/** The button as people see it, with what was measured. */
function Swatch(props: {
  readonly of: components['schemas']['MeasuredColor'];
  readonly title: string;
  readonly ground: string;
  readonly ink: string;
}) {
  const { color, textColor, text, page } = props.of;
  return (
    <div class="swatch" style={{ background: props.ground, color: props.ink }}>
      <span>{props.title}</span>
      <b style={{ background: color, color: textColor }} lang={language.value}>
        {t('colour.button')}
      </b>
      <Measured n={text} min={TEXT_MIN} what={t('contrast.text')} />
      <Measured n={page} min={PAGE_MIN} what={t('contrast.page')} />
    </div>
  );
}

const Measured = ({ n, min, what }: { readonly n: number; readonly min: number; readonly what: string }) => (
  <Badge tone={n >= min ? 'yes' : 'no'}>
    {what} {t('contrast', { ratio: number(n), min: number(min) })}
  </Badge>
);
