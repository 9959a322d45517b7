import { definePart } from '../subjects/index.js';
import { consentConflicts } from './merge.js';
import { consentFold, type ConsentState } from './state.js';

/** Consent as a merge of subjects sees it. */
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
});
