import { ownRulesOf, purposesInForce, type CatalogueState } from '../../catalogue/index.js';
import type { Instant } from '../../kernel/index.js';
import { circumstancesOf, lastKnownPlace, type Asked, type Circumstances } from '../circumstances.js';
import type { ConsentState } from '../state.js';
import { purposeInForce } from '../state-view.js';
import { purposeView, type PurposeInForce, type PurposeView } from '../view.js';

/** How many subjects of a country another catalogue makes a difference to, for one purpose. */
export interface Impact {
  purpose: string;
  /** ISO 3166-1, where they were last known to be; null: not known. */
  country: string | null;
  /** Have to be asked again and need not be now. */
  askAgain: number;
  becomeBlocked: number;
  becomeAllowed: number;
}

/** A catalogue and the rules of places as it has them, at one moment. */
interface World {
  purposes: ReadonlyMap<string, PurposeInForce>;
  /** Where a subject is decides the rule, and nothing else of the subject does. */
  circumstances: (state: ConsentState, ownCountry: string | null) => Circumstances;
}

const ASKED: Asked = { place: null, gpcOnRequest: false };

/**
 * Counts whom it makes a difference to that one catalogue takes the place of another, by the same table that answers what
 * may be done. What it holds grows with purposes and countries, and not with subjects.
 */
export class ImpactCount {
  private readonly counted = new Map<string, Impact>();
  private readonly before: World;
  private readonly after: World;
  private readonly purposes: readonly string[];

  constructor(before: CatalogueState, after: CatalogueState, at: Instant) {
    this.before = worldOf(before, at);
    this.after = worldOf(after, at);
    this.purposes = [...new Set([...this.before.purposes.keys(), ...this.after.purposes.keys()])].sort();
  }

  /** A subject with its own country in clear, where that decides. */
  add(state: ConsentState, ownCountry: string | null): void {
    const { country } = lastKnownPlace(state, ownCountry);
    const [before, after] = [this.before, this.after].map((world) => ({
      purposes: world.purposes,
      circumstances: world.circumstances(state, ownCountry),
    })) as [Seen, Seen];
    for (const purpose of this.purposes) {
      const [was, is] = [viewOf(before, purpose, state), viewOf(after, purpose, state)];
      const asksAgain = isToBeAsked(is) && !isToBeAsked(was);
      if (!asksAgain && isAllowed(was) === isAllowed(is)) continue;
      const impact = this.impactOn(purpose, country);
      if (asksAgain) impact.askAgain++;
      if (isAllowed(was) && !isAllowed(is)) impact.becomeBlocked++;
      if (!isAllowed(was) && isAllowed(is)) impact.becomeAllowed++;
    }
  }

  /** By purpose and country, in their order; only where there is a difference. */
  get impacts(): Impact[] {
    return [...this.counted].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, impact]) => impact);
  }

  private impactOn(purpose: string, country: string | null): Impact {
    const name = `${purpose} ${country ?? ''}`;
    let impact = this.counted.get(name);
    if (!impact)
      this.counted.set(name, (impact = { purpose, country, askAgain: 0, becomeBlocked: 0, becomeAllowed: 0 }));
    return impact;
  }
}

interface Seen {
  purposes: World['purposes'];
  circumstances: Circumstances;
}

function worldOf(catalogue: CatalogueState, at: Instant): World {
  const ownRules = ownRulesOf(catalogue);
  const purposes = new Map(
    purposesInForce(catalogue, at).map(({ key }) => [key, purposeInForce(catalogue, key, { at, now: at })!]),
  );
  return { purposes, circumstances: (state, ownCountry) => circumstancesOf(at, ASKED, state, ownCountry, ownRules) };
}

const viewOf = ({ purposes, circumstances }: Seen, purpose: string, state: ConsentState): PurposeView | null => {
  const inForce = purposes.get(purpose);
  return inForce ? purposeView(inForce, state, circumstances) : null;
};

/** A purpose that is not in force yet is not allowed: no subject could be asked for it. */
const isAllowed = (view: PurposeView | null): boolean => view?.effective === 'ALLOWED';
const isToBeAsked = (view: PurposeView | null): boolean => view?.renewal.required === true;
