import { definePart } from '../subjects/index.js';
import { preferenceConflicts } from './merge.js';
import { preferenceFold, shownState, type FoldedByPreferences, type PreferenceState } from './state.js';

/** Preferences as merges, archives and receipts see them. Which kinds are verified goes along, which identifiers are not does not. */
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
  stood: ({ topics, globalOptOut }, at) => [
    ...Object.entries(topics).map(([about, topic]) => ({
      about,
      state: shownState(topic, at),
      since: topic.givenAt,
      until: null,
    })),
    ...(globalOptOut?.active
      ? [{ about: 'globalOptOut', state: 'ACTIVE', since: globalOptOut.since, until: null }]
      : []),
  ],
});
