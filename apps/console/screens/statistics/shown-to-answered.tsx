import type { Statistics } from '../../api/statistics.js';
import { Card } from '../../parts/page.js';
import { sumOf } from '../../parts/plot/figures.js';
import { RankPlot } from '../../parts/plot/rank-plot.js';
import { percent } from '../../words.js';
import type { Asked } from './asked.js';
import { statisticsWords as t } from './words.js';

/** Of the banners that were shown, how many were answered, and how: of periods in which all of it is shown. */
export function ShownToAnswered({ statistics, asked }: { readonly statistics: Statistics; readonly asked: Asked }) {
  const whole = statistics.periods.filter(
    ({ shown, unanswered, suppressed }) =>
      shown !== 0 && unanswered !== null && suppressed.every((what) => what === 'withdrawals' || what === 'expiries'),
  );
  const sum = (what: 'shown' | 'grants' | 'refusals') => sumOf(whole.map((period) => period[what]!)) ?? 0;
  const [shown, granted, refused] = [sum('shown'), sum('grants'), sum('refusals')];
  const isAny = whole.length > 0;
  const row = (key: 'shown' | 'answered' | 'granted' | 'refused', count: number) => ({
    key,
    name: t(`way.${key}`),
    figures: isAny ? [count, Math.min(1, count / shown)] : (['hidden', 'hidden'] as const),
  });
  const answered = granted + refused;
  return (
    <Card title={t('way')}>
      <RankPlot
        label={t('way')}
        gist={isAny ? t('way.gist', { share: percent(Math.min(1, answered / shown)), n: shown }) : t('way.few')}
        file={`shown-${asked.purpose ?? 'all'}`}
        table={{
          rowsAre: t('way.step'),
          columns: [
            { title: t('way.count'), measure: 'count' },
            { title: t('way.share'), measure: 'share' },
          ],
          rows: [row('shown', shown), row('answered', answered), row('granted', granted), row('refused', refused)],
        }}
      />
    </Card>
  );
}
