import type { Instant } from '../kernel/index.js';
import { PLACES } from './places.js';
import { timelineOf } from './timeline.js';
import { policyView } from './view.js';

/** An act under which refusing must be as easy as agreeing, with the places where it is the decisive one. */
export interface RefusalDemand {
  /** Short name of the act. */
  regulation: string;
  /** Codes, sorted. */
  places: readonly string[];
}

/** Every such act that is in force at a moment or begins later, those of most places first. */
export function refusalDemandedBy(at: Instant): RefusalDemand[] {
  const places = new Map<string, Set<string>>();
  for (const code of PLACES.keys())
    for (const dated of timelineOf(null, code)) {
      const { regulation, rejectRequired } = policyView(dated, null);
      if (!rejectRequired || regulation === null || (dated.to !== null && dated.to <= at)) continue;
      let codes = places.get(regulation);
      if (!codes) places.set(regulation, (codes = new Set<string>()));
      codes.add(code);
    }
  return [...places]
    .map(([regulation, codes]) => ({ regulation, places: [...codes].sort() }))
    .sort((a, b) => b.places.length - a.places.length || (a.regulation < b.regulation ? -1 : 1));
}
