import type { Instant, Position, Scope } from '../kernel/index.js';
import type { PolicyOverride } from './override.js';

/** What sites have made of the law. The law knows no site: whoever knows them provides this. */
export interface SiteRules {
  /** Those in force at a moment: the same list as long as they are. Throws DependencyUnavailable as long as it cannot be known. */
  of(scope: Scope, at: Instant): readonly PolicyOverride[];
  /** Whether everything up to a position is in the answers, waiting at most `ms` for it. */
  reached(position: Position, ms: number): Promise<boolean>;
}

/** Injection token of the SiteRules. */
export const SITE_RULES = Symbol('SiteRules');
