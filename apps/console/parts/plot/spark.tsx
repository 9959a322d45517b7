import { line } from 'd3-shape';
import { isShown, type Figure } from './figures.js';

/** Fewer points are no line. */
const POINTS_MIN = 3;
const [WIDTH, HEIGHT, EDGE] = [64, 24, 2];

/** A small line beside a figure, of shares, without axes. The figure says in words what matters, so readers pass over it. */
export function Spark({ figures }: { readonly figures: readonly Figure[] }) {
  const step = (WIDTH - 2 * EDGE) / Math.max(1, figures.length - 1);
  const path = line<Figure>(
    (_, i) => EDGE + i * step,
    (figure) => HEIGHT - EDGE - Number(figure) * (HEIGHT - 2 * EDGE),
  ).defined(isShown)([...figures]);
  if (path === null || figures.filter(isShown).length < POINTS_MIN) return null;
  return (
    <svg class="spark tone-accent" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <path class="line" d={path} />
    </svg>
  );
}
