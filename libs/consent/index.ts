export * from './events.js';
export { originAndPath } from './decide.js';
export { consentFold, expiryInstants, stateAt, type ConsentState, type PurposeConsent } from './state.js';
export { purposeView, recordView, type ConsentRecordView, type PurposeView } from './view.js';
