import type { ScreenProps } from '../../app.js';
import { marksOf, publishedLast } from '../../api/published.js';
import { purposesOf } from '../../api/purposes.js';
import { useResource } from '../../api/resource.js';
import { statisticsOf } from '../../api/statistics.js';
import { frameWords } from '../../frame/words.js';
import { Chips } from '../../parts/button.js';
import { SelectField } from '../../parts/form.js';
import { Page } from '../../parts/page.js';
import { publishedTitle } from '../../parts/published.js';
import { Loaded } from '../../parts/states.js';
import { language } from '../../words.js';
import { BYS, firstDay, RANGES, useAsked } from './asked.js';
import { BySplit } from './by-split.js';
import { TakenBack, WhoAgrees } from './over-time.js';
import { ShownToAnswered } from './shown-to-answered.js';
import { statisticsWords as t } from './words.js';

/** Publications that can be marked. */
const MARKED_MAX = 50;

/** What people answer, over time and by where they are. */
export default function Screen({ place }: ScreenProps) {
  const [asked, ask] = useAsked(place);
  const { purpose, by } = asked;
  const from = firstDay(asked);
  const where = [place.site, place.env, language.value];
  const published = useResource(
    async () => ({ purposes: await purposesOf(place), versions: await publishedLast(place, MARKED_MAX) }),
    where,
  );
  const statistics = useResource(
    () => statisticsOf(place, { ...(purpose && { purpose: [purpose] }), from, by }),
    [...where, purpose, from, by],
  );
  return (
    <Page title={frameWords('screen.statistics')} lead={t('lead')}>
      <Loaded of={published}>
        {({ purposes, versions }) => {
          const names = new Map(purposes.map(({ key, name }) => [key, name]));
          const marks = marksOf(versions, (version) => publishedTitle(version, names));
          return (
            <div class="grid">
              <div class="filters">
                <SelectField
                  name="purpose"
                  label={t('purpose')}
                  value={purpose ?? ''}
                  options={[
                    ['', t('purpose.all')],
                    ...purposes
                      .filter(({ key, isAsked }) => isAsked || key === purpose)
                      .map(({ key, name }) => [key, name] as const),
                  ]}
                  onPick={(key) => ask({ purpose: key })}
                />
                <Chips
                  label={t('range')}
                  value={asked.range}
                  options={RANGES.map((range) => [range, t(`range.${range}`)] as const)}
                  onPick={(range) => ask({ range })}
                />
                <Chips
                  label={t('by')}
                  value={by}
                  options={BYS.map((each) => [each, t(`by.${each}`)] as const)}
                  onPick={(each) => ask({ by: each })}
                />
              </div>
              <Loaded of={statistics}>
                {(found) => (
                  <div class="grid">
                    <WhoAgrees statistics={found} {...{ asked, marks, names }} />
                    <div class="grid g-half">
                      <ShownToAnswered statistics={found} asked={asked} />
                      <TakenBack statistics={found} {...{ asked, marks }} />
                    </div>
                  </div>
                )}
              </Loaded>
              <BySplit {...{ place, asked, ask }} />
            </div>
          );
        }}
      </Loaded>
    </Page>
  );
}
