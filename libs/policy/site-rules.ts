import type { Position, Scope } from '../kernel/index.js';
import type { OwnRules } from './site-timeline.js';

/** What sites have made of the law. The law knows no site: whoever knows them provides this. */
export interface SiteRules {
  /**
   * Every list of own rules, in the order of publication: the same list as long as nothing is published. Throws
   * DependencyUnavailable as long as it cannot be known.
   */
  of(scope: Scope): readonly OwnRules[];
  /** Whether everything up to a position is in the answers, waiting at most `ms` for it. */
  reached(position: Position, ms: number): Promise<boolean>;
}

/** Injection token of the SiteRules. */
export const SITE_RULES = Symbol('SiteRules');
