/** Countries whose weekend is not Saturday and Sunday (Unicode CLDR, week data). 0 is Sunday. */
export const WEEKENDS: Readonly<Record<string, readonly number[]>> = {
  BH: [5, 6],
  EG: [5, 6],
  IL: [5, 6],
  IN: [0],
  OM: [5, 6],
  QA: [5, 6],
  SA: [5, 6],
};
const MOSTLY = [0, 6];

/** Days of the week on which a place does no business. Regions have that of their country. */
export const weekendOf = (code: string): readonly number[] => WEEKENDS[code.slice(0, 2)] ?? MOSTLY;
