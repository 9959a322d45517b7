import { area, curveMonotoneX, line } from 'd3-shape';
import { isShown, type Figure } from './figures.js';
import { dashOf, Sign, toneOf } from './signs.js';
import type { Drawn } from './scales.js';

/** Pixels from one point to the next from which on each point has its sign. */
const ROOM_FOR_SIGNS = 26;

/** A line for each series, interrupted where a figure is not shown; below the first its area. */
export function Lines({ series, scales: { x, y, step, bottom }, at }: Drawn) {
  const lineOf = line<Figure>(
    (_, i) => x(i),
    (figure) => y(Number(figure)),
  )
    .defined(isShown)
    .curve(curveMonotoneX);
  const areaOf = area<Figure>(
    (_, i) => x(i),
    bottom,
    (figure) => y(Number(figure)),
  )
    .defined(isShown)
    .curve(curveMonotoneX);
  return (
    <>
      {series.map((each, i) => (
        <g key={each.name} class={`tone-${toneOf(each, i)}`}>
          {i === 0 && <path class="area" d={areaOf([...each.figures]) ?? ''} />}
          <path class="line" d={lineOf([...each.figures]) ?? ''} stroke-dasharray={dashOf(i)} />
          {each.figures.map((figure, j) => {
            const isAlone = !isShown(each.figures[j - 1]) && !isShown(each.figures[j + 1]);
            if (!isShown(figure) || !(isAlone || step >= ROOM_FOR_SIGNS || j === at)) return null;
            return <Sign key={j} i={i} x={x(j)} y={y(figure)} />;
          })}
        </g>
      ))}
    </>
  );
}
