export {
  CONSENT_COUNTED,
  CONSENT_ROWS,
  CONSENT_SPLITS,
  COUNTRY_UNKNOWN,
  IMPORTED_COUNTED,
  SPLIT_OF_ALL,
  type ConsentSplit,
} from './counts.js';
export * from './precedence.js';
export { asserted, type Claims } from './asserted.js';
export { announcedPlace, whereaboutsOf } from './circumstances.js';
export {
  EFFECTIVE_CONSENT,
  type ConsentQuestion,
  type ConsentStanding,
  type EffectiveConsent,
} from './effective-consent.js';
export * from './events.js';
export { GIVEN_SECONDS_AGO, givenAtOf, givenTwice, withoutAge } from './given.js';
export { keptCollection, recordConsent, type RecordConsent } from './decide.js';
export { checkedTwice, displayCode } from './shown/display.js';
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
export type { VendorChoice } from './vendor-choice.js';
export { vendorStandings, type VendorStanding } from './vendors.js';
export { purposeView, recordView, type ConsentRecordView, type PurposeView } from './view.js';
