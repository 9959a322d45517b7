import { symbol, symbolCircle, symbolDiamond, symbolSquare, symbolTriangle } from 'd3-shape';
import { SERIES_TONES, type Series, type SeriesTone } from './figures.js';

/** Dashes and signs by the place of a series, so that colour is never all that tells it. */
const DASHES = ['none', '6 4', '2 3', '9 3 2 3', '12 4', '1 3'] as const;
const SIGNS = [symbolCircle, symbolSquare, symbolTriangle, symbolDiamond] as const;

export const toneOf = ({ tone }: Series, i: number): SeriesTone => tone ?? SERIES_TONES[i % SERIES_TONES.length]!;
export const dashOf = (i: number): string => DASHES[i % DASHES.length]!;

/** The sign of a series, at a point of its line. */
export function Sign(props: { readonly i: number; readonly x: number; readonly y: number }) {
  const path = symbol(SIGNS[props.i % SIGNS.length], 34)()!;
  return <path class="sign" d={path} transform={`translate(${props.x} ${props.y})`} />;
}

/** Which line, or which bar, is which. */
export function Legend({ series, shape }: { readonly series: readonly Series[]; readonly shape: 'lines' | 'bars' }) {
  return (
    <ul class="legend" aria-hidden="true">
      {series.map((each, i) => (
        <li key={each.name} class={`tone-${toneOf(each, i)}`}>
          {shape === 'lines' ? (
            <svg viewBox="0 0 28 12">
              <path class="line" d="M0 6H28" stroke-dasharray={dashOf(i)} />
              <Sign i={i} x={14} y={6} />
            </svg>
          ) : (
            <svg viewBox="0 0 12 12">
              <rect class={columnClass(i)} x="1" y="1" width="10" height="10" />
            </svg>
          )}
          {each.name}
        </li>
      ))}
    </ul>
  );
}

/** Bars of the second series are hollow, those of the third faint. */
export const columnClass = (i: number): string => `column c${i % 3}`;
