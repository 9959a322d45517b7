import { isShown } from './figures.js';
import { columnClass, toneOf } from './signs.js';
import type { Drawn } from './scales.js';

/** Bars side by side for each period, one of each series. Where one is hidden, its place is striped, and no zero. */
export function Columns({ series, scales: { x, y, step, top, bottom }, isRtl, at, stripes }: Drawn) {
  const room = Math.min(step * 0.72, 40 * series.length);
  const width = room / series.length;
  return (
    <>
      {series.map((each, s) => (
        <g key={each.name} class={`tone-${toneOf(each, s)}`}>
          {each.figures.map((figure, i) => {
            if (figure === 'none') return null;
            const side = (s - series.length / 2) * width;
            const high = isShown(figure) ? y(figure) : top;
            return (
              <rect
                key={i}
                {...(isShown(figure)
                  ? { class: `${columnClass(s)} ${i === at ? 'at' : ''}` }
                  : { fill: `url(#${stripes})` })}
                x={x(i) + (isRtl ? -side - width : side) + 0.5}
                y={high}
                width={Math.max(1, width - 1)}
                height={bottom - high}
              />
            );
          })}
        </g>
      ))}
    </>
  );
}
