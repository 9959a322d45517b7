import type { Instant } from '../../kernel/index.js';
import { documentInForce, purposeOf, purposesInForce, versionInForce } from '../state.js';
import type { CatalogueState, CataloguedPurpose } from '../state.js';
import { BANNER } from './document.js';

/**
 * The purposes that a banner shows: those that it names, else all in force. Without names it leaves out the category of
 * messages: a page does not ask for them at the entry, and "Accept all" would grant them.
 */
export function purposesOfBanner(
  state: CatalogueState,
  keys: readonly string[] | null,
  at: Instant,
): CataloguedPurpose[] {
  if (keys) return keys.flatMap((key) => purposeOf(state, key) ?? []);
  return purposesInForce(state, at).filter((purpose) => !isOfMessages(purpose, at));
}

/** Whether the banner in force shows a purpose. Without a banner no purpose is shown. */
export function disclosedPurposes(state: CatalogueState, at: Instant): (key: string) => boolean {
  const banner = documentInForce(state, BANNER, at)?.definition;
  if (!banner) return () => false;
  const { purposeKeys: keys } = banner;
  return (key) => (keys ? keys.includes(key) : !isOfMessages(purposeOf(state, key), at));
}

const isOfMessages = (purpose: CataloguedPurpose | undefined, at: Instant): boolean =>
  versionInForce(purpose, at)?.definition.category === 'COMMUNICATION';
