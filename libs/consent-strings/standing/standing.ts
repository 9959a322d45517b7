import type { FrameworkSettings } from '../../access/index.js';
import {
  isRetired,
  purposesInForce,
  shownToPeople,
  versionInForce,
  type CatalogueState,
  type PurposeDefinition,
  type Vendor,
} from '../../catalogue/index.js';
import {
  vendorStandings,
  type ConsentStanding,
  type ConsentStateName,
  type VendorStanding,
} from '../../consent/index.js';
import type { Instant } from '../../kernel/index.js';
import {
  permissionFor,
  silenceOn,
  silenceUnder,
  type DatedRule,
  type Effective,
  type EffectiveReason,
  type Rule,
} from '../../policy/index.js';

/** A purpose that a site asks for, and what holds for one subject. */
export interface PurposeStanding extends Pick<
  PurposeDefinition,
  'key' | 'legalBasis' | 'consentModel' | 'category' | 'gpc' | 'frameworks'
> {
  /** The person's choice. */
  state: ConsentStateName;
  /** What may be done, and why. */
  effective: Effective;
  reason: EffectiveReason;
  /** What may be done at this place until the visitor chooses. */
  byDefault: Effective;
}

/**
 * What is allowed, at one moment and place. Every framework string is made of this one model, so that neither two strings
 * nor a string and the state can contradict each other. Retired purposes are not in it, because no site asks for them.
 */
export interface Standing {
  /** Null if nothing was ever recorded. */
  subjectId: string | null;
  at: Instant;
  /** By key. */
  purposes: readonly PurposeStanding[];
  /**
   * Keys of purposes that are, or once were, outside of IAB TCF, including retired ones, in the order in which they
   * first were.
   */
  ownPurposes: readonly string[];
  /** Vendors that the banner discloses. */
  vendors: readonly Vendor[];
  /** Decisions about single vendors, by their ids. */
  decided: Readonly<Record<'TCF' | 'GOOGLE', ReadonlyMap<number, VendorStanding>>>;
  /** Whether any choice of the subject is known. If not, nothing was disclosed to the subject. */
  hasChosen: boolean;
  /** The rule of the place. */
  dated: DatedRule;
  /** Whether Global Privacy Control is on, and whether it binds at the place. */
  gpc: { active: boolean; binds: boolean };
  /**
   * Time of the newest decision, signal, or end of a grant. For a subject without any: of the last publication of what
   * the subject could choose; null if there is none.
   */
  lastChangedAt: Instant | null;
  settings: FrameworkSettings;
  /** Country whose law the publisher is under, ISO 3166-1. */
  publisherCountry: string | null;
  /** Default language of the site, BCP 47. */
  locale: string;
  /** How long Google's tags wait for a choice, in ms; null if no banner sets it. */
  waitForUpdateMs: number | null;
}

/** The settings of a site that strings depend on. */
export interface SiteSaid {
  settings: FrameworkSettings;
  locale: string;
}

/** The standing of a subject, from its consent, the catalogue and the settings of its site. */
export function standingOf(consent: ConsentStanding, catalogue: CatalogueState, site: SiteSaid): Standing {
  const { subjectId, at, dated } = consent;
  const asked = purposesInForce(catalogue, at).filter((purpose) => !isRetired(purpose, at));
  const saidAt = lastSaidAt(consent);
  const published = asked.map((purpose) => versionInForce(purpose, at)!);
  return {
    subjectId,
    at,
    purposes: published.flatMap(({ definition }) => purposeStanding(definition, consent) ?? []),
    ownPurposes: ownPurposesOf(catalogue, at),
    decided: {
      TCF: vendorStandings(consent.vendors, 'TCF', at),
      GOOGLE: vendorStandings(consent.vendors, 'GOOGLE', at),
    },
    hasChosen: saidAt !== null,
    dated,
    gpc: { active: consent.gpc.active, binds: consent.gpc.active && dated.rule.gpc === 'BINDING' },
    lastChangedAt: saidAt ?? newest(published.map(({ effectiveFrom }) => effectiveFrom)),
    ...site,
    ...shownToPeople(catalogue, at),
  };
}

function purposeStanding(definition: PurposeDefinition, { purposes, dated }: ConsentStanding): PurposeStanding | null {
  const { key, legalBasis, consentModel, category, gpc, frameworks } = definition;
  const view = Object.hasOwn(purposes, key) ? purposes[key] : undefined;
  if (!view) return null;
  return {
    ...{ key, legalBasis, consentModel, category, gpc, frameworks },
    state: view.state,
    effective: view.effective,
    reason: view.effectiveReason,
    byDefault: byDefaultUnder(dated.rule)({ consentModel, category }),
  };
}

/** What may be done with a purpose under a legal rule until the visitor chooses. */
export const byDefaultUnder =
  (rule: Rule) =>
  ({ consentModel, category }: Pick<PurposeDefinition, 'consentModel' | 'category'>): Effective =>
    permissionFor(consentModel, silenceOn({ consentModel, category }, silenceUnder(rule)), 'NOTHING').effective;

/** The place in this order is a number in strings: no later publication may change or reuse it. */
function ownPurposesOf(catalogue: CatalogueState, at: Instant): string[] {
  return purposesInForce(catalogue, at)
    .flatMap(({ key, versions }) => {
      const own = versions.find(({ definition }) => definition.frameworks.tcf.purposes.length === 0);
      return own && own.effectiveFrom <= at ? [{ key, since: own.effectiveFrom }] : [];
    })
    .sort((a, b) => (a.since !== b.since ? (a.since < b.since ? -1 : 1) : a.key < b.key ? -1 : 1))
    .map(({ key }) => key);
}

/** The end of a grant counts too: since then another state holds. */
function lastSaidAt({ purposes, vendors = [], gpc, at }: ConsentStanding): Instant | null {
  const ends = (instant: Instant | null): Instant[] => (instant !== null && instant <= at ? [instant] : []);
  return newest([
    ...Object.values(purposes).flatMap(({ givenAt, expiresAt, state }) => [
      ...(givenAt === null ? [] : [givenAt]),
      ...(state === 'EXPIRED' ? ends(expiresAt) : []),
    ]),
    ...vendors.flatMap(({ givenAt, expiresAt }) => [givenAt, ...ends(expiresAt)]),
    ...(gpc.since === null ? [] : [gpc.since]),
  ]);
}

const newest = (instants: readonly Instant[]): Instant | null =>
  instants.reduce<Instant | null>((known, instant) => (known !== null && known > instant ? known : instant), null);
