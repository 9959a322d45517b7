import type { Instant } from '../../kernel/index.js';
import { documentInForce, purposeOf, purposesInForce, versionInForce } from '../state.js';
import type { CatalogueState, CataloguedPurpose } from '../state.js';
import { BANNER } from './document.js';

/**
 * The purposes that a banner shows: those that it names, else all in force. Messages are not asked about on the way into a
 * page, and "Accept all" would agree to them: where the banner names none, those of their category are left out.
 */
export function purposesOfBanner(
  state: CatalogueState,
  keys: readonly string[] | null,
  at: Instant,
): CataloguedPurpose[] {
  if (keys) return keys.flatMap((key) => purposeOf(state, key) ?? []);
  return purposesInForce(state, at).filter((purpose) => !isOfMessages(purpose, at));
}

/** Whether the banner that is in force tells people of a purpose. Where there is no banner it tells of none. */
export function disclosedPurposes(state: CatalogueState, at: Instant): (key: string) => boolean {
  const banner = documentInForce(state, BANNER, at)?.definition;
  if (!banner) return () => false;
  const { purposeKeys: keys } = banner;
  return (key) => (keys ? keys.includes(key) : !isOfMessages(purposeOf(state, key), at));
}

const isOfMessages = (purpose: CataloguedPurpose | undefined, at: Instant): boolean =>
  versionInForce(purpose, at)?.definition.category === 'COMMUNICATION';
