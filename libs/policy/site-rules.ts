import type { Position, Scope } from '../kernel/index.js';
import type { OwnRules } from './site-timeline.js';

/** The own rules of sites. This room knows no site; the composition provides them. */
export interface SiteRules {
  /**
   * Every list of own rules, in the order of publication; the same object until the site publishes another. Throws
   * DependencyUnavailable while the lists are not known.
   */
  of(scope: Scope): readonly OwnRules[];
  /** Whether everything up to a position is in the answers, waiting at most `ms` for it. */
  reached(position: Position, ms: number): Promise<boolean>;
}

/** Injection token of the SiteRules. */
export const SITE_RULES = Symbol('SiteRules');
