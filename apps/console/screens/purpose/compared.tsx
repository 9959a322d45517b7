import { useState } from 'preact/hooks';
import { useResource } from '../../api/resource.js';
import { Badge } from '../../parts/badge.js';
import { SelectField } from '../../parts/form.js';
import { Card } from '../../parts/page.js';
import { Loaded } from '../../parts/states.js';
import { Time } from '../../parts/time.js';
import type { Place } from '../../session.js';
import { languageName } from '../../words.js';
import type { Purpose } from '../purposes/catalogue.js';
import { FieldDifferences, WordDifference } from '../purposes/difference.js';
import { differencesOf } from '../purposes/differences.js';
import { words as p } from '../purposes/words.js';
import { askVersion } from './text.js';
import { words as t } from './words.js';

/** All versions, newest first, each with who is asked again for it; and any two of them word by word. */
export function Compared({ place, versions }: { readonly place: Place; readonly versions: readonly Purpose[] }) {
  const newest = versions.at(-1)!;
  const [[before, after], setPair] = useState<readonly [number, number]>([newest.version - 1, newest.version]);
  return (
    <Card title={t('versions')} isFlush>
      <ul class="list">
        {versions.toReversed().map(({ version, change, effectiveFrom }) => (
          <li key={version}>
            <div class="t">
              <b>
                {p('version.n', { n: version })}: {change.summary}
              </b>
              <span>
                {t(version === 1 ? 'kind.FIRST.why' : `kind.${change.kind as 'MATERIAL'}.why`)}{' '}
                <Time at={effectiveFrom} form="day" />
              </span>
            </div>
            {version > 1 && (
              <Badge tone={change.kind === 'MATERIAL' ? 'wait' : 'off'} icon="text">
                {t(`kind.${change.kind as 'MATERIAL'}`)}
              </Badge>
            )}
          </li>
        ))}
      </ul>
      {versions.length > 1 && (
        <div class="pad">
          <div class="fields">
            <SelectField
              name="before"
              label={t('compare.from')}
              value={String(before)}
              options={versions.map(({ version: n }) => [String(n), p('version.n', { n })] as const)}
              onPick={(n) => setPair([Number(n), after])}
            />
            <SelectField
              name="after"
              label={t('compare.to')}
              value={String(after)}
              options={versions.map(({ version: n }) => [String(n), p('version.n', { n })] as const)}
              onPick={(n) => setPair([before, Number(n)])}
            />
          </div>
          <Pair key={`${before}/${after}`} place={place} of={newest.key} before={before} after={after} />
        </div>
      )}
    </Card>
  );
}

const TEXTS = ['name', 'description', 'legalText'] as const;
/** Members that say which version it is, and not what it says. */
const OF_VERSION = ['version', 'contentHash', 'effectiveFrom', 'publishedAt', 'change', 'status', 'locale'];

function Pair(props: { readonly place: Place; readonly of: string; readonly before: number; readonly after: number }) {
  const { place, of, before, after } = props;
  const pair = useResource(async () => {
    const [a, b] = await Promise.all([askVersion(place, of, before), askVersion(place, of, after)]);
    const locales = [...new Set([...a.availableLocales, ...b.availableLocales])].sort();
    const texts = await Promise.all(
      locales.map(async (locale) => {
        const textsOf = (version: Purpose): Promise<Purpose | null> =>
          version.availableLocales.includes(locale)
            ? askVersion(place, of, version.version, locale)
            : Promise.resolve(null);
        const [was, is] = await Promise.all([textsOf(a), textsOf(b)]);
        return { locale, was, is };
      }),
    );
    return { a, b, texts };
  }, [of, before, after]);
  return (
    <Loaded of={pair}>
      {({ a, b, texts }) => (
        <>
          {texts.map(({ locale, was, is }) => (
            <section key={locale} class="compared">
              <h3>{languageName(locale)}</h3>
              {was === null || is === null ? (
                <p class="small">{t(was === null ? 'compare.new-language' : 'compare.no-language')}</p>
              ) : TEXTS.every((name) => was[name] === is[name]) ? (
                <p class="small">{t('compare.same')}</p>
              ) : (
                <div lang={locale} dir="auto">
                  {TEXTS.map((name) => (
                    <WordDifference key={name} before={was[name]} after={is[name]} />
                  ))}
                </div>
              )}
            </section>
          ))}
          <h3>{t('compare.rest')}</h3>
          <FieldDifferences fields={differencesOf(restOf(a), restOf(b))} />
        </>
      )}
    </Loaded>
  );
}

const restOf = (purpose: Purpose): object =>
  Object.fromEntries(
    Object.entries(purpose).filter(([name]) => ![...OF_VERSION, ...TEXTS].some((each) => each === name)),
  );
