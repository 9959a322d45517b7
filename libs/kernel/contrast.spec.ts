import fc from 'fast-check';
import { PAGE_COLOURS } from '../pages/style.js';
import { contrast, nearestShade, PAGE_GROUNDS, SHAPE_CONTRAST_MIN, TEXT_CONTRAST_MIN, textOn } from './contrast.js';

const colour = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);

describe('contrast', () => {
  it.each([
    ['#000000', '#ffffff', 21],
    ['#777777', '#ffffff', 4.478],
    ['#767676', '#ffffff', 4.542],
    ['#ff0000', '#ffffff', 3.998],
    ['#0b57b0', '#ffffff', 6.99],
    ['#123456', '#123456', 1],
  ])('of %s and %s is %d, as WCAG 2.2 defines it', (a, b, ratio) => {
    expect(contrast(a, b)).toBeCloseTo(ratio, 2);
    expect(contrast(b, a)).toBe(contrast(a, b));
  });

  it('is measured against the grounds that pages really have', () => {
    const [light, dark] = [...PAGE_COLOURS.matchAll(/--ground:(#[0-9a-f]+)/g)].map(([, ground]) => ground);
    expect([light === '#fff' ? '#ffffff' : light, dark]).toEqual([PAGE_GROUNDS.light, PAGE_GROUNDS.dark]);
  });

  it('of text on a colour is enough to read it, whatever the colour', () =>
    fc.assert(
      fc.property(colour, (any) => contrast(any, textOn(any)) >= TEXT_CONTRAST_MIN),
      { numRuns: 2_000 },
    ));

  it('of the nearest shade is enough, and of no nearer shade', () =>
    fc.assert(
      fc.property(colour, fc.constantFrom(...Object.values(PAGE_GROUNDS)), (any, ground) => {
        const shade = nearestShade(any, ground, SHAPE_CONTRAST_MIN);
        expect(contrast(shade, ground)).toBeGreaterThanOrEqual(SHAPE_CONTRAST_MIN);
        if (contrast(any, ground) >= SHAPE_CONTRAST_MIN) return expect(shade).toBe(any);
        // Away from the ground, by no more than was needed: the step before had not enough.
        const distance = (a: string, b: string): number =>
          [1, 3, 5].reduce(
            (sum, at) =>
              sum + Math.abs(Number.parseInt(a.slice(at, at + 2), 16) - Number.parseInt(b.slice(at, at + 2), 16)),
            0,
          );
        for (const end of ['#000000', '#ffffff']) {
          const farther = nearestShade(end, ground, SHAPE_CONTRAST_MIN);
          if (farther === end) expect(distance(any, shade)).toBeLessThanOrEqual(distance(any, end));
        }
      }),
    ));
});
