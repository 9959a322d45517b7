import { definePart } from '../subjects/index.js';
import { preferenceConflicts } from './merge.js';
import { preferenceFold, type FoldedByPreferences, type PreferenceState } from './state.js';

/** Preferences as a merge of subjects sees them. Which kinds are verified goes along, which identifiers are not does not. */
export const preferencePart = definePart<PreferenceState, FoldedByPreferences>({
  name: 'preferences',
  fold: preferenceFold,
  snapshot: ({ topics, fields, globalOptOut, verifiedKinds, requests, mails }) => ({
    topics,
    fields,
    globalOptOut,
    verifiedKinds,
    requests,
    mails,
  }),
  conflicts: preferenceConflicts,
});
