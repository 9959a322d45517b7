import { useId } from 'preact/hooks';
import { cutTo, textWidth, type Box } from './box.js';
import { isShown, type PlotTable } from './figures.js';
import { figureText, PlotFrame, plotWords, type Plotted } from './frame.js';

/** Of small text: from one row to the next, and how high a bar is. */
const ROW = 3.4;
const BAR = 1;

/**
 * A bar for each row, by the figure of its first column; the others stand beside it in words. Shares are drawn against
 * the whole, counts against the largest.
 */
export function RankPlot(props: Plotted & { readonly table: PlotTable }) {
  const { columns, rows } = props.table;
  const first = rows.map(({ figures }) => figures[0]);
  const isHidden = first.includes('hidden');
  const most = columns[0]!.measure === 'share' ? 1 : Math.max(...first.filter(isShown), 1);
  return (
    <PlotFrame
      {...props}
      below={isHidden ? plotWords('hidden.why') : ''}
      heightOf={({ em }) => rows.length * em * ROW}
      draw={(box) => <Rows table={props.table} most={most} box={box} />}
    />
  );
}

function Rows({ table, most, box }: { readonly table: PlotTable; readonly most: number; readonly box: Box }) {
  const { width, em, isRtl } = box;
  const stripes = useId();
  return (
    <>
      <pattern id={stripes} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <path class="stripe" d="M0 0V6" />
      </pattern>
      {table.rows.map(({ key, name, figures }, i) => {
        const top = i * em * ROW + em;
        const [figure] = figures;
        const value = table.columns
          .map(({ title, measure }, c) => `${figureText(figures[c], measure)}${c === 0 ? '' : ` ${title}`}`)
          .join(' · ');
        const length = isShown(figure) ? Math.max(1, (figure / most) * width) : width;
        return (
          <g key={key} class="tone-accent">
            <text x={isRtl ? width : 0} y={top} text-anchor="start">
              {cutTo(name, width - textWidth(value, box) - em, box)}
            </text>
            <text class="value" x={isRtl ? 0 : width} y={top} text-anchor="end">
              {value}
            </text>
            <rect class="track" x="0" y={top + em * 0.5} width={width} height={em * BAR} />
            {figure !== 'none' && (
              <rect
                {...(isShown(figure) ? { class: 'column' } : { fill: `url(#${stripes})` })}
                x={isRtl ? width - length : 0}
                y={top + em * 0.5}
                width={length}
                height={em * BAR}
              />
            )}
          </g>
        );
      })}
    </>
  );
}
