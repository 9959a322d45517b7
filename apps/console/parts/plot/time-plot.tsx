import { useId, useState } from 'preact/hooks';
import { number, percent } from '../../words.js';
import { cutTo, textWidth, type Box } from './box.js';
import { periodName, shortPeriod } from './dates.js';
import { gapsOf, isShown, type Mark, type Measure, type Period, type PlotTable, type Series } from './figures.js';
import { figureText, PlotFrame, plotWords, type Plotted } from './frame.js';
import { Lines } from './lines.js';
import { marksByPeriod, placedLabels, type PeriodMarks } from './marks.js';
import type { Scales } from './scales.js';
import { Legend } from './signs.js';
import { ticksTo } from './ticks.js';
import { Columns } from './columns.js';

export interface TimePlotProps extends Plotted {
  readonly periods: readonly Period[];
  /** What a period is. */
  readonly by: 'day' | 'week' | 'month';
  readonly series: readonly Series[];
  readonly measure: Measure;
  /** Lines, the first with the area below it, or bars. */
  readonly shape?: 'lines' | 'bars';
  readonly marks?: readonly Mark[];
}

const PLOT_HEIGHT = 13;
const LABEL_ROW = 1.5;

/** Figures over time: lines or bars, with marks where something was published. */
export function TimePlot(props: TimePlotProps) {
  const { periods, series, measure, by } = props;
  const [at, setAt] = useState<number | null>(null);
  const marks = marksByPeriod(props.marks ?? [], periods);
  const isAnyHidden = series.some(({ figures }) => figures.includes('hidden'));
  const isStriped = props.shape === 'bars' || gapsOf(series, periods.length).some(({ isHidden }) => isHidden);
  const layoutOf = (box: Box) => layout(props, marks, box);
  const hint = isAnyHidden ? plotWords(isStriped ? 'hidden.why' : 'hidden.why.some') : ' ';
  return (
    <PlotFrame
      {...props}
      table={tableOf(props, marks, plotWords(by))}
      legend={series.length > 1 && <Legend series={series} shape={props.shape ?? 'lines'} />}
      below={
        at === null
          ? hint
          : `${periodName(periods[at]!)}: ${series.map(({ name, figures }) => `${name} ${figureText(figures[at], measure)}`).join(', ')}`
      }
      heightOf={(box) => layoutOf(box).height}
      onPointer={(x, box) => setAt(x === null ? null : layoutOf(box).nearest(x))}
      draw={(box) => <Plot {...props} {...layoutOf(box)} box={box} marks={marks} at={at} />}
    />
  );
}

function layout({ periods, series, measure }: TimePlotProps, marks: readonly PeriodMarks[], box: Box) {
  const { width, em, isRtl } = box;
  const most = Math.max(...series.flatMap(({ figures }) => figures.filter(isShown)), 0);
  const ticks = measure === 'share' ? [0, 0.25, 0.5, 0.75, 1] : ticksTo(most);
  const highest = ticks.at(-1)!;
  const tickText = measure === 'share' ? percent : number;
  const side = Math.max(...ticks.map((tick) => textWidth(tickText(tick), box))) + em;
  const step = (width - side - em / 2) / periods.length;
  const along = (i: number) => side + (i + 0.5) * step;
  const texts = marks.map(({ i, texts: [first = '', ...others] }) => {
    const text = others.length === 0 ? first : plotWords('more', { text: first, n: others.length });
    return cutTo(text, Math.max(along(i) - side, width - along(i)) - em, box);
  });
  const labels = placedLabels(
    marks.map(({ i }, m) => ({ x: along(i), width: textWidth(texts[m]!, box) })),
    [side, width],
  );
  const rows = Math.max(0, ...labels.map((label) => (label ? label.row + 1 : 0)));
  const top = em * (0.8 + rows * LABEL_ROW);
  const bottom = top + em * PLOT_HEIGHT;
  const turned = (x: number) => (isRtl ? width - x : x);
  return {
    height: bottom + 2 * em,
    ticks: ticks.map((tick) => ({ tick, text: tickText(tick) })),
    side: turned(side),
    end: turned(width - em / 2),
    labels: labels.map((label, m) => label && { ...label, x: turned(label.x), text: texts[m]! }),
    rowHeight: em * LABEL_ROW,
    nearest: (x: number) => Math.min(periods.length - 1, Math.max(0, Math.round((turned(x) - side) / step - 0.5))),
    scales: {
      x: (i: number) => turned(along(i)),
      y: (value: number) => bottom - (value / highest) * em * PLOT_HEIGHT,
      step,
      top,
      bottom,
    } satisfies Scales,
  };
}

function Plot(
  props: Omit<TimePlotProps, 'marks'> &
    ReturnType<typeof layout> & {
      readonly box: Box;
      readonly marks: readonly PeriodMarks[];
      readonly at: number | null;
    },
) {
  const { scales, side, end, series, periods, box, at } = props;
  const { x, y, step, top, bottom } = scales;
  const stripes = useId();
  const Shape = props.shape === 'bars' ? Columns : Lines;
  return (
    <>
      <pattern id={stripes} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <path class="stripe" d="M0 0V6" />
      </pattern>
      {props.ticks.map(({ tick, text }) => (
        <g key={tick}>
          <path class="gl" d={`M${side} ${y(tick)}H${end}`} />
          <text x={side + (box.isRtl ? 1 : -1) * (box.em / 2)} y={y(tick) + box.em / 3} text-anchor="end">
            {text}
          </text>
        </g>
      ))}
      {props.shape !== 'bars' &&
        gapsOf(series, periods.length).map(({ first, last, isHidden }) => (
          <Gap key={first} from={x(first)} to={x(last)} {...{ step, top, bottom, stripes, box, isHidden }} />
        ))}
      {at !== null && <path class="pointed" d={`M${x(at)} ${top}V${bottom}`} />}
      <Shape series={series} scales={scales} isRtl={box.isRtl} at={at} stripes={stripes} />
      {props.marks.map(({ i }, m) => {
        const label = props.labels[m];
        const above = label ? box.em + label.row * props.rowHeight : top - box.em / 2;
        return (
          <g key={i} class="mark">
            <path d={`M${x(i)} ${above - box.em * 0.8}V${bottom}`} />
            {label && (
              <text x={label.x} y={above} text-anchor={label.anchor}>
                {label.text}
              </text>
            )}
          </g>
        );
      })}
      {ticksAlong(periods, step, box).map((i) => (
        <text key={i} x={x(i)} y={bottom + 1.5 * box.em} text-anchor="middle">
          {shortPeriod(periods[i]!)}
        </text>
      ))}
    </>
  );
}

/** Where nothing is shown: striped, with a word where there is room. It is no zero. */
function Gap(props: {
  readonly from: number;
  readonly to: number;
  readonly step: number;
  readonly top: number;
  readonly bottom: number;
  readonly stripes: string;
  readonly box: Box;
  readonly isHidden: boolean;
}) {
  const { step, top, bottom, box } = props;
  const width = Math.abs(props.to - props.from) + step;
  const start = Math.min(props.from, props.to) - step / 2;
  const word = plotWords(props.isHidden ? 'hidden' : 'none');
  return (
    <>
      <rect
        x={start}
        y={top}
        width={width}
        height={bottom - top}
        fill={props.isHidden ? `url(#${props.stripes})` : 'none'}
      />
      {textWidth(word, box) < width && (
        <text class="gap" x={start + width / 2} y={bottom - box.em / 2} text-anchor="middle">
          {word}
        </text>
      )}
    </>
  );
}

/** Periods that the axis names, as many as there is room for. */
function ticksAlong(periods: readonly Period[], step: number, box: Box): number[] {
  const widest = Math.max(...periods.map((period) => textWidth(shortPeriod(period), box)));
  const every = Math.max(1, Math.ceil((widest + box.em) / step));
  const half = Math.ceil(widest / 2 / step - 0.5);
  return periods.map((_, i) => i).filter((i) => (i - half) % every === 0 && i >= half && i + half < periods.length);
}

function tableOf(
  { periods, series, measure }: TimePlotProps,
  marks: readonly PeriodMarks[],
  rowsAre: string,
): PlotTable {
  return {
    rowsAre,
    columns: series.map(({ name }) => ({ title: name, measure })),
    rows: periods.map((period, i) => {
      const texts = marks.find((mark) => mark.i === i)?.texts;
      return {
        key: period.from,
        name: periodName(period),
        figures: series.map(({ figures }) => figures[i] ?? 'none'),
        ...(texts && { remark: texts.join(', ') }),
      };
    }),
  };
}
