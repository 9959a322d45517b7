import type { OwnRules } from '../policy/index.js';
import { ownRulesOf } from './policies/rules.js';
import { isRetired, purposeOf, versionInForce, type CatalogueState } from './state.js';
import { contentHash, servedLocale } from './view.js';
import type { Instant, Scope, Position } from '../kernel/index.js';

/** The catalogue of each scope as this process knows it: a fold that follows the log, some milliseconds behind. */
export interface Catalogue {
  /** Throws DependencyUnavailable until the process has caught up with the log. */
  of(scope: Scope): CatalogueState;
  /** Changes whenever an answer made from the catalogue can change; part of every ETag. */
  tag(scope: Scope, at: Instant): string;
  /** Whether answers reflect a position; waits at most `ms` for it. */
  reached(position: Position, ms: number): Promise<boolean>;
}

/** Injection token of the Catalogue. */
export const CATALOGUE = Symbol('Catalogue');

/** The terms of a purpose that a decision on it needs. */
export interface Terms {
  version: number;
  retired: boolean;
  legalBasis: string;
  consentModel: string;
  validityDays: number | null;
  notice: { locale: string; contentHash: string };
  /** The site's own legal rules. Absent: none. */
  ownRules?: readonly OwnRules[];
}

/** The terms of a purpose, as a decision on it is recorded; `unknown` names what does not exist. */
export function termsOf(
  state: CatalogueState,
  key: string,
  version: number | undefined,
  locales: readonly string[],
  at: Instant,
): Terms | { unknown: 'purpose' | 'version' } {
  const purpose = purposeOf(state, key);
  const current = versionInForce(purpose, at);
  if (!purpose || !current) return { unknown: 'purpose' };
  const shown =
    version === undefined
      ? current
      : purpose.versions.find((candidate) => candidate.version === version && candidate.effectiveFrom <= at);
  if (!shown) return { unknown: 'version' };
  const locale = servedLocale(shown.definition, locales);
  const { legalBasis, consentModel, validityDays } = shown.definition;
  return {
    version: shown.version,
    retired: isRetired(purpose, at),
    legalBasis,
    consentModel,
    validityDays,
    notice: { locale, contentHash: contentHash(shown, locale) },
    ownRules: ownRulesOf(state),
  };
}
