/** Ids of sections of IAB GPP: the national one of the United States, and behind it those of its states. */
export const US_NATIONAL_ID = 7;
const US_LAST_ID = 27;

/** Sections of which specification and libraries do not agree, by the place that has them. */
export const UNSETTLED_SECTIONS: Readonly<Record<string, number>> = {
  'US-MD': 24,
  'US-IN': 25,
  'US-KY': 26,
  'US-RI': 27,
};

/** How a site says what it says of people in the United States. */
export interface SectionChoice {
  /** NATIONAL: one section for the whole country (MSPA 1.81) instead of that of the state. */
  approach: 'STATE' | 'NATIONAL';
  /** Whether states whose section is not settled get it all the same, and not the national one. */
  unsettledSections: boolean;
}

/**
 * Ids of the sections that apply somewhere, ascending: what a GPP string holds, and what a banner tells a page. `named`:
 * what the law of the place names; `place`: its code, null where it is not known.
 */
export function sectionsFor(named: readonly number[], place: string | null, choice: SectionChoice): number[] {
  const chosen = named.map((id) => {
    if (id < US_NATIONAL_ID || id > US_LAST_ID) return id;
    if (choice.approach === 'NATIONAL') return US_NATIONAL_ID;
    return (choice.unsettledSections && place !== null ? UNSETTLED_SECTIONS[place] : undefined) ?? id;
  });
  return [...new Set(chosen)].sort((a, b) => a - b);
}
