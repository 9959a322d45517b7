import { isShown, type Series } from './figures.js';
import { columnClass, toneOf } from './signs.js';
import type { Scales } from './time-plot.js';

/** Bars side by side for each period, one of each series. */
export function Columns({
  series,
  scales: { x, y, step, bottom },
  isRtl,
  at,
}: {
  readonly series: readonly Series[];
  readonly scales: Scales;
  readonly isRtl: boolean;
  readonly at: number | null;
}) {
  const room = Math.min(step * 0.72, 40 * series.length);
  const width = room / series.length;
  return (
    <>
      {series.map((each, s) => (
        <g key={each.name} class={`tone-${toneOf(each, s)}`}>
          {each.figures.map((figure, i) => {
            if (!isShown(figure)) return null;
            const side = (s - series.length / 2) * width;
            const start = x(i) + (isRtl ? -side - width : side);
            return (
              <rect
                key={i}
                class={`${columnClass(s)} ${i === at ? 'at' : ''}`}
                x={start + 0.5}
                y={y(figure)}
                width={Math.max(1, width - 1)}
                height={Math.max(0, bottom - y(figure))}
              />
            );
          })}
        </g>
      ))}
    </>
  );
}
