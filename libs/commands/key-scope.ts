import { referenceText, type Reference, type Scope } from '../kernel/index.js';
import type { Caller } from '../http/caller.js';

/** Where an Idempotency-Key counts: within one scope the same key stands for one request. */
export interface KeyScope extends Scope {
  /** Set apart from the secret keys of the site; null for those, which share one scope so that a rotated key can retry. */
  apart: string | null;
}

/**
 * The scope of the keys of a caller who writes about these subjects. For a public key it includes the references as they
 * were sent. A visitor who reads the key in a page can therefore occupy no idempotency key of the site's server or of
 * another visitor.
 */
export const keyScopeOf = ({ site, env, kind }: Caller, subjects: readonly Reference[]): KeyScope => ({
  site,
  env,
  apart: kind === 'sk' ? null : [kind, ...subjects.map(referenceText)].join(SEPARATOR),
});

/** No key and no reference holds it: keys are visible ASCII, references have no control characters. */
const SEPARATOR = '\u001f';

/** The scope and the key in it as one text. */
export const textInScope = ({ site, env, apart }: KeyScope, key: string): string =>
  [site, env, ...(apart === null ? [] : [apart]), key].join(SEPARATOR);
