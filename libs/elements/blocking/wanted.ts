import type { Wanted } from '../allowed.js';

/** Purposes in an attribute, separated by spaces or commas. */
export const purposesIn = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);

/** What an element of the page waits for; null where it waits for nothing. */
export function wantedBy(element: Element): Wanted | null {
  const all = element.getAttribute('data-assent');
  const any = element.getAttribute('data-assent-any');
  if (all === null && any === null) return null;
  return { purposes: purposesIn(all ?? any!), any: all === null };
}
