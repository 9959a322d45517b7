export * from './events.js';
export {
  preferenceFold,
  preferenceTurningPoints,
  shownState,
  type FoldedByPreferences,
  type PreferenceState,
  type Topic,
} from './state.js';
export { preferencesView, preferenceRecordView, type PreferencesView } from './view.js';
export { confirmationReceipt, preferenceReceipt, recordOn } from './receipt.js';
export { checkPreferences, setPreferences, type SetPreferences, type Wish } from './decide.js';
export { verifiedByChannel } from './known-channels.js';
export { wishOf } from './wish.js';
