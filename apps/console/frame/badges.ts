import { signal } from '@preact/signals';
import type { SiteScreen } from '../addresses.js';

/** How many things of a screen need an operator, for the navigation. Screens that know it say so. */
export const counts = signal<Partial<Record<SiteScreen, number>>>({});

export const count = (screen: SiteScreen, n: number): void => {
  if (counts.peek()[screen] !== n) counts.value = { ...counts.peek(), [screen]: n };
};
