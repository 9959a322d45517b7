import { googleConsent, ownRulesOf, type CatalogueState, type GoogleConsent } from '../../catalogue/index.js';
import type { Instant } from '../../kernel/index.js';
import { placesKnown, siteRuleAt, type Rule } from '../../policy/index.js';
import { byDefaultUnder, type PurposeStanding, type Standing } from '../standing/standing.js';

/** Arguments of a page's `gtag('consent', …)`. */
export interface GoogleConsentMode {
  /** What holds at this place until the visitor chooses. */
  default: GoogleConsent;
  /** What holds for the subject now. */
  update: GoogleConsent;
  /** ISO 3166-1 and 3166-2: where `default` holds. Empty if no place is known: then it applies everywhere. */
  region: readonly string[];
  /** In ms. */
  waitForUpdate: number;
}

const WAIT_FOR_UPDATE_MS = 500;

/** Google's consent mode v2: a type is granted only if the effective state allows it. */
export function googleConsentMode(standing: Standing, regions: GoogleRegions): GoogleConsentMode {
  const { purposes, dated, waitForUpdateMs } = standing;
  const byDefault = googleConsent(purposes, (purpose) => purpose.byDefault === 'ALLOWED');
  return {
    default: byDefault,
    update: googleConsent(purposes, ({ effective }) => effective === 'ALLOWED'),
    region: dated.place === null ? [] : regions.where(byDefault),
    waitForUpdate: waitForUpdateMs ?? WAIT_FOR_UPDATE_MS,
  };
}

/**
 * The places of the world in which a default holds, for the purposes of one site at one moment. Examines each legal
 * rule once.
 */
export class GoogleRegions {
  private places: ReadonlyMap<string, readonly string[]> | null = null;

  constructor(
    private readonly catalogue: CatalogueState,
    private readonly purposes: readonly PurposeStanding[],
    private readonly at: Instant,
  ) {}

  where(wanted: GoogleConsent): readonly string[] {
    this.places ??= this.byDefault();
    return this.places.get(nameOf(wanted)) ?? [];
  }

  private byDefault(): ReadonlyMap<string, readonly string[]> {
    const own = ownRulesOf(this.catalogue);
    const places = new Map<string, string[]>();
    const names = new Map<Rule, string>();
    for (const where of placesKnown()) {
      const { rule } = siteRuleAt(own, where, this.at);
      let name = names.get(rule);
      if (name === undefined) {
        const allowed = byDefaultUnder(rule);
        name = nameOf(googleConsent(this.purposes, (purpose) => allowed(purpose) === 'ALLOWED'));
        names.set(rule, name);
      }
      const code = where.region ?? where.country!;
      const known = places.get(name);
      if (known) known.push(code);
      else places.set(name, [code]);
    }
    return places;
  }
}

const nameOf = (consent: GoogleConsent): string => Object.values(consent).join(' ');
