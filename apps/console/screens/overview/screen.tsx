import { useLocation } from 'preact-iso';
import type { ScreenProps } from '../../app.js';
import { publishedLast } from '../../api/published.js';
import { purposesOf } from '../../api/purposes.js';
import { useResource, type Resource } from '../../api/resource.js';
import { statisticsOf, type Statistics } from '../../api/statistics.js';
import { frameWords } from '../../frame/words.js';
import { summaryOf } from '../../frame/summary.js';
import { Page } from '../../parts/page.js';
import { Loaded } from '../../parts/states.js';
import { may, places, type Place } from '../../session.js';
import { language } from '../../words.js';
import { Answers, NoAnswers } from './answers.js';
import { Figures } from './figures.js';
import { Needs } from './needs.js';
import { Published } from './published.js';
import { overviewWords as t } from './words.js';

/** How a site is: what needs an operator first, then figures, then what was published. */
export default function Screen({ place }: ScreenProps) {
  const { site, env } = place;
  const by = [site, env, language.value];
  const summary = useResource(() => summaryOf(place), by);
  const versions = useResource(() => publishedLast(place, 5), by);
  const purposes = useResource(() => purposesOf(place), by);
  const { query } = useLocation();
  const known = readyOf(purposes) ?? [];
  const asked = known.filter(({ isAsked }) => isAsked);
  const chosen = asked.find(({ key }) => key === query['purpose']) ?? asked[0];
  const statistics = useResource(() => recentAnswers(place, chosen?.key), [...by, chosen?.key]);
  const names = new Map(known.map(({ key, name }) => [key, name]));
  const published = readyOf(versions) ?? [];
  const needs = readyOf(summary)?.needs;
  const name = places.value.find((each) => each.site === site)?.name ?? site;
  return (
    <Page
      title={greeting(new Date().getHours())}
      tab={frameWords('screen.overview')}
      lead={`${t('lead', { site: name, env: frameWords(`env.${env}`) })} ${
        needs === undefined ? '' : needs.length === 0 ? t('needs.none') : t('needs.n', { n: needs.length })
      }`}
    >
      <Loaded of={summary}>
        {(shown) =>
          shown && (
            <div class="grid">
              <Figures place={place} summary={shown} statistics={chosen ? statistics : null} />
              <div class="grid g-main">
                <Loaded of={purposes}>
                  {() =>
                    chosen ? (
                      <Answers {...{ place, purposes: asked, chosen, statistics, versions: published, names }} />
                    ) : (
                      <NoAnswers />
                    )
                  }
                </Loaded>
                <Needs needs={shown.needs} />
              </div>
              <Published place={place} versions={published} names={names} />
            </div>
          )
        }
      </Loaded>
    </Page>
  );
}

const readyOf = <T,>({ value: { value } }: Resource<T>): T | null => (value.state === 'ready' ? value.data : null);

function greeting(hour: number): string {
  if (hour >= 4 && hour < 12) return t('good.morning');
  return t(hour >= 12 && hour < 18 ? 'good.afternoon' : 'good.evening');
}

/** Share of periods that must be shown for a plot by day. */
const ENOUGH = 0.5;

/** The last 30 days one by one; where most of them are hidden, the last 12 weeks. */
async function recentAnswers(place: Place, purpose: string | undefined): Promise<Statistics> {
  const none = { periods: [] as Statistics['periods'], by: 'day' } as Statistics;
  if (purpose === undefined || !may('getSiteConsentStatistics', place)) return none;
  const days = await statisticsOf(place, { purpose: [purpose], by: 'day' });
  const shown = days.periods.filter(({ grantShare }) => grantShare !== null).length;
  return sinceFirst(
    shown >= ENOUGH * days.periods.length ? days : await statisticsOf(place, { purpose: [purpose], by: 'week' }),
  );
}

/** Fewest periods of a plot. */
const PERIODS_MIN = 4;

/** Without the periods before the first decision. */
function sinceFirst({ periods, ...others }: Statistics): Statistics {
  const first = periods.findIndex(({ grants, refusals }) => grants !== 0 || refusals !== 0);
  return { ...others, periods: periods.slice(Math.max(0, Math.min(first, periods.length - PERIODS_MIN))) };
}
