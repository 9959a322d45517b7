import { definePart } from '../subjects/index.js';
import { consentConflicts } from './merge.js';
import { consentFold, stateAt, type ConsentState } from './state.js';

/** Consent as merges, archives and receipts see it. */
export const consentPart = definePart<ConsentState, never>({
  name: 'consent',
  fold: consentFold as never,
  snapshot: ({ purposes, gpc, place, vendors }) => ({
    purposes,
    gpc,
    ...(place && { place }),
    ...(vendors && { vendors }),
  }),
  conflicts: consentConflicts,
  stood: ({ purposes }, at) =>
    Object.entries(purposes).map(([about, current]) => ({
      about,
      state: stateAt(current, at),
      since: current.givenAt,
      until: current.expiresAt,
    })),
});
