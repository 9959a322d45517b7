/** Red, green, blue and opacity, each from 0 to 1. */
export type Colour = readonly [number, number, number, number];

const WHITE: Colour = [1, 1, 1, 1];

/** A colour as browsers compute it: `rgb(…)`, `rgba(…)` or `color(srgb …)`; null for others. */
export function colourOf(computed: string): Colour | null {
  const parts = /^(rgba?|color)\((?:srgb )?([^)]*)\)$/.exec(computed);
  if (!parts) return null;
  const numbers = parts[2]!.split(/[\s,/]+/).map(Number);
  if (numbers.length < 3 || numbers.some(Number.isNaN)) return null;
  const scale = parts[1] === 'color' ? 1 : 255;
  const [red, green, blue, opacity = 1] = numbers as [number, number, number, number?];
  return [red / scale, green / scale, blue / scale, opacity];
}

/** What is seen where one colour lies over another that is not seen through. */
export const over = ([r, g, b, opacity]: Colour, below: Colour): Colour => [
  r * opacity + below[0] * (1 - opacity),
  g * opacity + below[1] * (1 - opacity),
  b * opacity + below[2] * (1 - opacity),
  1,
];

/** Layers that lie on each other, the lowest first; white is below all of them. */
export const together = (layers: readonly Colour[]): Colour =>
  layers.reduce((below, layer) => over(layer, below), WHITE);

/** Contrast of two colours that are not seen through, from 1 to 21 (WCAG 2.2, definition of contrast ratio). */
export function contrast(a: Colour, b: Colour): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance([red, green, blue]: Colour): number {
  const linear = (part: number): number => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}
