import { UNSETTLED_SECTIONS, US_NATIONAL, US_SECTIONS } from './us-sections.js';

/** How a site says what it says of people in the United States. */
export interface SectionChoice {
  /** NATIONAL: one section for the whole country (MSPA 1.81) instead of that of the state. */
  approach: 'STATE' | 'NATIONAL';
  /** Whether states whose section is not settled get it all the same, and not the national one. */
  unsettledSections: boolean;
}

/**
 * Ids of the sections that apply somewhere, ascending. `named`: what the law of the place names; `place`: its code, null
 * where it is not known.
 */
export function sectionsFor(named: readonly number[], place: string | null, choice: SectionChoice): number[] {
  const chosen = named.map((id) => {
    if (!US_SECTIONS.has(id)) return id;
    if (choice.approach === 'NATIONAL') return US_NATIONAL.id;
    return (choice.unsettledSections && place !== null ? UNSETTLED_SECTIONS[place] : undefined) ?? id;
  });
  return [...new Set(chosen)].sort((a, b) => a - b);
}
