import { useResource } from '../../api/resource.js';
import { answersOf, statisticsOf, type Split, type Statistics } from '../../api/statistics.js';
import { Chips } from '../../parts/button.js';
import { Card } from '../../parts/page.js';
import { RankPlot } from '../../parts/plot/rank-plot.js';
import { Loaded } from '../../parts/states.js';
import type { Place } from '../../session.js';
import { calendarDay, countryName, language, languageName, named } from '../../words.js';
import { firstDay, SPLITS, type Asked } from './asked.js';
import { statisticsTable, statisticsWords as t } from './words.js';

/** Share of grants by country, place, language or version, of whole months: smaller periods could identify a person. */
export function BySplit(props: {
  readonly place: Place;
  readonly asked: Asked;
  readonly ask: (change: Partial<Asked>) => void;
}) {
  const { place, asked, ask } = props;
  const { purpose, split } = asked;
  const from = firstDay(asked);
  const found = useResource(
    () => statisticsOf(place, { ...(purpose && { purpose: [purpose] }), split, from, by: 'month' }),
    [place.site, place.env, purpose, split, from, language.value],
  );
  return (
    <Card title={t('split')}>
      <Chips
        label={t('split')}
        value={split}
        options={SPLITS.map((each) => [each, t(`split.${each}`)] as const)}
        onPick={(each) => ask({ split: each })}
      />
      <Loaded of={found}>
        {({ series, periods }) => (
          <RankPlot
            label={`${t('split')} ${t(`split.${split}`)}`}
            gist={t('split.gist', { from: calendarDay(periods[0]?.from ?? from, undefined, 'long-month') })}
            file={`by-${split}-${purpose ?? 'all'}`}
            table={{
              rowsAre: t(`split.${split}`),
              columns: [
                { title: t('granted'), measure: 'share' },
                { title: t('split.answers'), measure: 'count' },
              ],
              rows: rowsOf(series, split),
            }}
          />
        )}
      </Loaded>
    </Card>
  );
}

/** Most answers first; hidden ones last. */
function rowsOf(series: Statistics['series'], split: Split) {
  return series
    .map(({ value, periods }) => {
      const answers = answersOf(periods);
      const n = answers ? answers.granted + answers.refused : 0;
      const isHidden = periods.some(({ suppressed }) =>
        suppressed.some((what) => what === 'grants' || what === 'refusals'),
      );
      const nothing = isHidden ? ('hidden' as const) : ('none' as const);
      const figures = answers && n > 0 ? [answers.granted / n, n] : [nothing, nothing];
      return { key: value ?? '', name: nameOf(split, value ?? ''), figures, n };
    })
    .sort((a, b) => b.n - a.n);
}

function nameOf(split: Split, value: string): string {
  if (split === 'country') return countryName(value);
  if (split === 'locale') return languageName(value);
  if (split === 'bannerVersion' || split === 'purposeVersion') return t('version', { n: value });
  return named(t, statisticsTable, `${split}.`, value);
}
