import { happened, type Decision, type Instant } from '../../kernel/index.js';
import type { ListSource, RefusalReason, VendorListEvent, VendorListTakenData } from './events.js';
import type { VendorListsState } from './state.js';

/** A list that could be read and is valid. */
export type OfferedList = Omit<VendorListTakenData, 'from' | 'takenAt'>;

/** An offered text that is no list. */
export interface UnfitList {
  reason: RefusalReason;
  detail: string | null;
  /** SHA-256 of its bytes, if they could not be read as a list; null if the bytes are missing too. */
  digest: string | null;
}

/**
 * Takes a list into use, or refuses it and keeps the one before. No event if the list is in use already, or was refused
 * for the same reason the last time. A number means one list for ever, and numbers only grow: a string names only the
 * number of the list that explains it.
 */
export function offerList(
  offered: OfferedList | UnfitList,
  from: ListSource,
  state: VendorListsState,
  at: Instant,
): Decision<VendorListEvent> {
  if ('reason' in offered) return refuse({ ...offered, version: null }, from, state, at);
  const newest = state.taken.at(-1);
  if (newest && offered.digest === newest.digest) return happened();
  const { version, digest } = offered;
  if (newest && version <= newest.version) {
    const reason = version < newest.version ? 'OLDER' : 'CHANGED_WITHOUT_NUMBER';
    return refuse({ reason, detail: `version ${newest.version} is in use`, version, digest }, from, state, at);
  }
  return happened({ type: 'VendorListTaken', data: { ...offered, from, takenAt: at } });
}

function refuse(
  unfit: UnfitList & { version: number | null },
  from: ListSource,
  { refused }: VendorListsState,
  at: Instant,
): Decision<VendorListEvent> {
  const { reason, detail, version, digest } = unfit;
  if (refused && refused.reason === reason && refused.digest === digest && refused.detail === detail) return happened();
  return happened({ type: 'VendorListRefused', data: { reason, detail, version, digest, from, refusedAt: at } });
}

/** Takes texts in a language into use; no event if they are in use already. */
export function offerTexts(
  locale: string,
  digest: string,
  from: ListSource,
  { texts }: VendorListsState,
  at: Instant,
): Decision<VendorListEvent> {
  if (texts[locale]?.digest === digest) return happened();
  return happened({ type: 'VendorListTextsTaken', data: { locale, digest, from, takenAt: at } });
}
