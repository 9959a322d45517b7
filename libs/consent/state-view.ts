import {
  lastMaterialVersion,
  ownRulesOf,
  purposeOf,
  purposesInForce,
  vendorsAskMoreSince,
  versionInForce,
  type CatalogueState,
} from '../catalogue/index.js';
import type { Instant } from '../kernel/index.js';
import { circumstancesOf, type Asked } from './circumstances.js';
import type { ConsentStanding } from './effective-consent.js';
import type { ConsentState } from './state.js';
import { purposeView, type PurposeInForce, type PurposeView } from './view.js';

/**
 * Part of every ETag of a consent state. Raise it with any change after which the same events and the same catalogue are
 * answered differently: clients then fetch the answer of an older release again.
 */
export const CONSENT_VIEW_VERSION = 1;

export interface ConsentStateView {
  subject: { id: string | null };
  revision: number;
  asOf: Instant;
  purposes: Record<string, PurposeView>;
}

/** The moment that is asked about, and the moment of asking. */
export interface Moment {
  at: Instant;
  now: Instant;
}

/** What holds of a subject: for the purposes that are asked about, else for all in force and all ever decided on. */
export function consentStateView(
  { subjectId, revision, state }: { subjectId: string | null; revision: number; state: ConsentState },
  catalogue: CatalogueState,
  wanted: readonly string[] | undefined,
  { at, now }: Moment,
  asked: Asked,
  /** The subject's own country in clear, where it decides. */
  ownCountry: string | null = null,
): ConsentStateView {
  const listed = (): string[] =>
    [...new Set([...purposesInForce(catalogue, at).map(({ key }) => key), ...Object.keys(state.purposes)])].sort();
  // Once for all purposes: the rule of the place is the same.
  const circumstances = circumstancesOf(at, asked, state, ownCountry, ownRulesOf(catalogue));
  const purposes: Record<string, PurposeView> = {};
  for (const purpose of wanted ?? listed()) {
    const inForce = purposeInForce(catalogue, purpose, { at, now });
    if (inForce) purposes[purpose] = purposeView(inForce, state, circumstances);
  }
  return { subject: { id: subjectId }, revision, asOf: at, purposes };
}

/** Everything that holds of a subject, for contexts that make another answer of it than the view. */
export function consentStanding(
  snapshot: Parameters<typeof consentStateView>[0],
  catalogue: CatalogueState,
  moment: Moment,
  asked: Asked,
  ownCountry: string | null = null,
): ConsentStanding {
  const { subjectId, revision, state } = snapshot;
  const { dated } = circumstancesOf(moment.at, asked, state, ownCountry, ownRulesOf(catalogue));
  const { purposes } = consentStateView(snapshot, catalogue, undefined, moment, asked, ownCountry);
  const gpc = { active: asked.gpcOnRequest || state.gpc?.active === true, since: state.gpc?.since ?? null };
  return { subjectId, revision, at: moment.at, purposes, vendors: state.vendors, gpc, dated };
}

/** Imported decisions can be older than the catalogue: a time before a purpose was first in force is judged by its first version. */
export function purposeInForce(catalogue: CatalogueState, key: string, { at, now }: Moment): PurposeInForce | null {
  const purpose = purposeOf(catalogue, key);
  const current = versionInForce(purpose, at) ?? purpose?.versions.find(({ effectiveFrom }) => effectiveFrom <= now);
  if (!purpose || !current) return null;
  const { legalBasis, consentModel, category, gpc } = current.definition;
  return {
    key,
    version: current.version,
    legalBasis,
    consentModel,
    category,
    gpc,
    lastMaterialVersion: lastMaterialVersion(purpose, at),
    vendorsAskMoreSince: vendorsAskMoreSince(catalogue, key, at),
  };
}
