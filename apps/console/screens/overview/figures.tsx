import { at } from '../../addresses.js';
import type { Resource } from '../../api/resource.js';
import { answeredOf, answersOf, counted, shownAndAnswered, type Statistics } from '../../api/statistics.js';
import type { PlaceSummary } from '../../frame/summary.js';
import { sumOf } from '../../parts/plot/figures.js';
import { Spark } from '../../parts/plot/spark.js';
import { Stat, Stats } from '../../parts/stat.js';
import { may, type Place } from '../../session.js';
import { calendarDay, number, percent } from '../../words.js';
import { overviewWords as t } from './words.js';

/** The four figures. */
export function Figures(props: {
  readonly place: Place;
  readonly summary: PlaceSummary;
  readonly statistics: Resource<Statistics> | null;
}) {
  const { place, summary } = props;
  const loaded = props.statistics?.value.value;
  const periods = loaded?.state === 'ready' ? loaded.data.periods : [];
  const banner = shownAndAnswered(periods);
  return (
    <Stats>
      <Agreed {...summary.grants} />
      <Stat
        term={t('answered')}
        value={
          banner ? (
            <>
              {percent(banner.answered / banner.shown)}
              <Spark figures={periods.map(answeredOf)} />
            </>
          ) : (
            <Few />
          )
        }
      >
        {banner ? t('answered.of', { shown: banner.shown, answered: banner.answered }) : t('few.why')}
      </Stat>
      <Stat
        term={t('requests')}
        value={
          may('listSiteDataRequests', place) ? (
            <a class="plain" href={at(place, 'requests')}>
              {number(summary.requests.open)}
            </a>
          ) : (
            number(summary.requests.open)
          )
        }
      >
        <RequestsDetail {...summary.requests} />
      </Stat>
      <Decisions periods={periods} lag={summary.lagSeconds} />
    </Stats>
  );
}

const Few = () => <span class="few">{t('few')}</span>;

function Agreed({ share, before, days }: PlaceSummary['grants']) {
  if (share === null)
    return (
      <Stat term={t('agreed')} value={<Few />}>
        {before === null ? t('few.why') : t('agreed.before', { share: percent(before), days })}
      </Stat>
    );
  if (before === null)
    return (
      <Stat term={t('agreed')} value={percent(share)}>
        {t('agreed.lead', { n: days })}
      </Stat>
    );
  const points = Math.round((share - before) * 100);
  const change = `${points > 0 ? '+' : points < 0 ? '−' : '±'} ${Math.abs(points)}`;
  return (
    <Stat term={t('agreed')} value={percent(share)}>
      {t('agreed.change', { n: Math.abs(points), change, days })}
    </Stat>
  );
}

function RequestsDetail({ overdue, dueWithin7Days }: PlaceSummary['requests']) {
  if (overdue + dueWithin7Days === 0) return t('requests.calm');
  return (
    <>
      {overdue > 0 && <b class="down">{t('requests.overdue', { n: overdue })}</b>}
      {overdue > 0 && dueWithin7Days > 0 && ', '}
      {dueWithin7Days > 0 && t('requests.due', { n: dueWithin7Days })}
    </>
  );
}

function Decisions({ periods, lag }: { readonly periods: Statistics['periods']; readonly lag: number | null }) {
  const answers = answersOf(periods);
  const first = periods.find((period) => period.grantShare !== null)?.from;
  const withdrawals = sumOf(periods.map((period) => counted(period, 'withdrawals')));
  return (
    <Stat
      term={first ? t('decisions', { from: calendarDay(first, undefined, 'short') }) : t('decisions.few')}
      value={answers ? number(answers.granted + answers.refused + (withdrawals ?? 0)) : <Few />}
    >
      {lag === null ? t('lag.unknown') : lag < 0.1 ? t('lag.none') : t('lag', { s: number(lag) })}
    </Stat>
  );
}
