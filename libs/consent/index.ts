export { CONSENT_COUNTED, CONSENT_ROWS, COUNTRY_UNKNOWN } from './counts.js';
export { asserted, type Claims } from './asserted.js';
export * from './events.js';
export { keptCollection } from './decide.js';
export { consentReceipt } from './receipt.js';
export {
  consentFold,
  decisionOn,
  expiryInstants,
  stateAt,
  type ConsentState,
  type FoldedByConsent,
  type PurposeConsent,
} from './state.js';
export { CONSENT_VIEW_VERSION, type ConsentStateView } from './state-view.js';
export { purposeView, recordView, type ConsentRecordView, type PurposeView } from './view.js';
