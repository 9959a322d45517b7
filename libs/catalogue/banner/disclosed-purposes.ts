import type { Instant } from '../../kernel/index.js';
import { documentInForce, type CatalogueState } from '../state.js';
import { BANNER } from './document.js';

/** Whether the banner that is in force tells people of a purpose. Where there is no banner it tells of none. */
export function disclosedPurposes(state: CatalogueState, at: Instant): (key: string) => boolean {
  const banner = documentInForce(state, BANNER, at)?.definition;
  return (key) => banner !== undefined && (banner.purposeKeys === null || banner.purposeKeys.includes(key));
}
