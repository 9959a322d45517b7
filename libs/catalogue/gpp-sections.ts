/** Ids of sections of IAB GPP: the national one of the United States. Ids of states follow it. */
export const US_NATIONAL_ID = 7;
const US_LAST_ID = 27;

/** Sections on which specification and libraries disagree, by their place. */
export const UNSETTLED_SECTIONS: Readonly<Record<string, number>> = {
  'US-MD': 24,
  'US-IN': 25,
  'US-KY': 26,
  'US-RI': 27,
};

/** A site's choice of sections for the United States. */
export interface SectionChoice {
  /** NATIONAL: one section for the whole country (MSPA 1.81) instead of that of the state. */
  approach: 'STATE' | 'NATIONAL';
  /** Whether a state with an unsettled section gets that section; if not, it gets the national one. */
  unsettledSections: boolean;
}

/**
 * Ids of the sections that apply at a place, ascending: for GPP strings and banners. `named`: sections that the law of
 * the place names; `place`: its code, null if unknown.
 */
export function sectionsFor(named: readonly number[], place: string | null, choice: SectionChoice): number[] {
  const chosen = named.map((id) => {
    if (id < US_NATIONAL_ID || id > US_LAST_ID) return id;
    if (choice.approach === 'NATIONAL') return US_NATIONAL_ID;
    return (choice.unsettledSections && place !== null ? UNSETTLED_SECTIONS[place] : undefined) ?? id;
  });
  return [...new Set(chosen)].sort((a, b) => a - b);
}
