import { useLocation } from 'preact-iso';
import { at } from '../../addresses.js';
import type { CatalogueVersion } from '../../api/published.js';
import { marksOf } from '../../api/published.js';
import type { AskedPurpose } from '../../api/purposes.js';
import { answersOf, sharesOf, type Statistics } from '../../api/statistics.js';
import type { Resource } from '../../api/resource.js';
import { TimePlot } from '../../parts/plot/time-plot.js';
import { Card } from '../../parts/page.js';
import { publishedTitle } from '../../parts/published.js';
import { Empty, Loaded } from '../../parts/states.js';
import type { Place } from '../../session.js';
import { calendarDay, number, percent } from '../../words.js';
import { overviewWords as t } from './words.js';

/** How people answer the banner about one purpose, over the last weeks. */
export function Answers(props: {
  readonly place: Place;
  readonly purposes: readonly AskedPurpose[];
  readonly chosen: AskedPurpose;
  readonly statistics: Resource<Statistics>;
  readonly versions: readonly CatalogueVersion[];
  readonly names: ReadonlyMap<string, string>;
}) {
  const { place, purposes, chosen, versions, names } = props;
  const { route } = useLocation();
  return (
    <Card
      title={t('answers')}
      end={
        purposes.length > 1 && (
          <label>
            <span class="unseen">{t('purpose')}</span>
            <select
              value={chosen.key}
              onChange={({ currentTarget: { value } }) =>
                route(`${at(place, 'overview')}?purpose=${encodeURIComponent(value)}`, true)
              }
            >
              {purposes.map(({ key, name }) => (
                <option key={key} value={key}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )
      }
    >
      <Loaded of={props.statistics}>
        {({ periods, by }) => (
          <>
            <TimePlot
              label={t('answers')}
              gist={gistOf(periods, chosen.name)}
              file={`answers-${chosen.key}`}
              periods={periods}
              by={by as 'day' | 'week' | 'month'}
              measure="share"
              series={sharesOf(periods, t('granted'), t('refused'))}
              marks={marksOf(versions, (version) => publishedTitle(version, names))}
            />
            <p class="small">
              <a href={`${at(place, 'statistics')}?purpose=${encodeURIComponent(chosen.key)}`}>{t('all.statistics')}</a>
            </p>
          </>
        )}
      </Loaded>
    </Card>
  );
}

export const NoAnswers = () => (
  <Card title={t('answers')}>
    <Empty icon="chart" title={t('no.purposes')}>
      {t('no.purposes.why')}
    </Empty>
  </Card>
);

function gistOf(periods: Statistics['periods'], purpose: string): string {
  const answers = answersOf(periods);
  const n = answers && answers.granted + answers.refused;
  if (!answers || !n) return t('gist.few', { purpose });
  const first = periods.find(({ grantShare }) => grantShare !== null)!;
  return t('gist', { share: percent(answers.granted / n), n: number(n), purpose, from: calendarDay(first.from) });
}
