import { answersOf, counted, figuresOf, shareOf, sharesOf, type Statistics } from '../../api/statistics.js';
import { sumOf, type Mark, type Series } from '../../parts/plot/figures.js';
import { TimePlot } from '../../parts/plot/time-plot.js';
import { Card } from '../../parts/page.js';
import { number, percent } from '../../words.js';
import type { Asked } from './asked.js';
import { statisticsWords as t } from './words.js';

interface Shown {
  readonly statistics: Statistics;
  readonly asked: Asked;
  readonly marks: readonly Mark[];
}

/** Most lines of one plot. */
const LINES_MAX = 5;

/** Share of grants over time: of one purpose against refusals, of several purposes a line each. */
export function WhoAgrees({
  statistics,
  asked,
  marks,
  names,
}: Shown & { readonly names: ReadonlyMap<string, string> }) {
  const { periods, series } = statistics;
  const answers = answersOf(periods);
  const n = answers && answers.granted + answers.refused;
  const lines = linesOf(series, names);
  const isCut = series.length > LINES_MAX;
  return (
    <Card title={t('agree')}>
      <TimePlot
        label={t('agree')}
        gist={answers && n ? t('agree.gist', { share: percent(answers.granted / n), n }) : t('agree.few')}
        file={`agreed-${asked.purpose ?? 'all'}`}
        periods={periods}
        by={asked.by}
        measure="share"
        series={lines.length > 1 ? lines : sharesOf(periods, t('granted'), t('refused'))}
        marks={marks}
      />
      {isCut && <p class="small">{t('agree.more', { n: LINES_MAX })}</p>}
    </Card>
  );
}

/** Purposes with most answers first. */
function linesOf(series: Statistics['series'], names: ReadonlyMap<string, string>): Series[] {
  const answered = series.map(({ purpose, periods }) => {
    const { granted = 0, refused = 0 } = answersOf(periods) ?? {};
    return { name: names.get(purpose ?? '') ?? purpose ?? '', figures: periods.map(shareOf), n: granted + refused };
  });
  return answered
    .filter(({ n }) => n > 0)
    .sort((a, b) => b.n - a.n)
    .slice(0, LINES_MAX);
}

/** Grants that were taken back, and that ran out. */
export function TakenBack({ statistics: { periods }, asked, marks }: Shown) {
  const sum = (what: 'withdrawals' | 'expiries') => number(sumOf(periods.map((period) => counted(period, what))) ?? 0);
  return (
    <Card title={t('back')}>
      <TimePlot
        label={t('back')}
        gist={t('back.gist', { withdrawn: sum('withdrawals'), ended: sum('expiries') })}
        file={`withdrawals-${asked.purpose ?? 'all'}`}
        periods={periods}
        by={asked.by}
        measure="count"
        shape="bars"
        series={[
          { ...figuresOf(periods, t('back.withdrawals'), 'withdrawals'), tone: 'no' },
          { ...figuresOf(periods, t('back.expiries'), 'expiries'), tone: 'wait' },
        ]}
        marks={marks}
      />
    </Card>
  );
}
