import { describe, expect, it } from '@jest/globals';
import { colourOf, contrast, over, together } from './colours.js';

describe('a colour as a browser computes it', () => {
  it.each([
    ['rgb(255, 0, 51)', [1, 0, 0.2, 1]],
    ['rgba(0, 0, 0, 0)', [0, 0, 0, 0]],
    ['rgb(0 0 0 / 0.5)', [0, 0, 0, 0.5]],
    ['color(srgb 0.5 1 0)', [0.5, 1, 0, 1]],
    ['color(srgb 0.5 1 0 / 0.25)', [0.5, 1, 0, 0.25]],
    ['oklch(0.5 0.1 20)', null],
    ['color(display-p3 1 0 0)', null],
    ['none', null],
  ])('%s', (computed, colour) => expect(colourOf(computed)).toEqual(colour));
});

it('contrast is that of the specification', () => {
  const [black, white, grey] = ['rgb(0, 0, 0)', 'rgb(255, 255, 255)', 'rgb(118, 118, 118)'].map((text) =>
    colourOf(text)!,
  );
  expect(contrast(black!, white!)).toBe(21);
  expect(contrast(white!, white!)).toBe(1);
  // The lightest grey whose text can be read on white (WCAG 2.2, 1.4.3).
  expect(contrast(grey!, white!)).toBeCloseTo(4.54, 2);
});

it('what is seen through shows what is below', () => {
  const [black, half] = [colourOf('rgb(0, 0, 0)')!, colourOf('rgb(255 255 255 / 0.5)')!];
  expect(over(half, black)).toEqual([0.5, 0.5, 0.5, 1]);
  expect(together([])).toEqual([1, 1, 1, 1]);
  expect(together([black, half])).toEqual([0.5, 0.5, 0.5, 1]);
});
