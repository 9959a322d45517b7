export * from './events.js';
export { preferenceFold, preferenceTurningPoints, shownState, type PreferenceState, type Topic } from './state.js';
export { preferencesView, preferenceRecordView, type PreferencesView } from './view.js';
