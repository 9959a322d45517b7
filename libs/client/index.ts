/*
 * AssentClient has everything as methods. Pages can import the functions beside it instead, so that a bundle contains
 * only what the page calls.
 */

export * from './types.js';
export * from './errors.js';
export { AssentClient, type ClientOptions } from './client.js';
export {
  Connection,
  type CallOptions,
  type ConnectionOptions,
  type IdentityToken,
  type ReadOptions,
  type Write,
  type WriteOptions,
} from './sending/connection.js';
export {
  getConsentState,
  recordConsent,
  recordConsentBatch,
  type BatchOptions,
  type ConsentStateOptions,
} from './consent.js';
export { getPreferences, recordPreferences, type PreferencesOptions } from './preferences.js';
export { getBanner, type InLanguage } from './catalogue.js';
export { applyConsentMode, type Gtag } from './consent-mode.js';
export { gate } from './gate.js';
export { keepOffline, type Fate, type OnRefused } from './sending/offline-queue.js';
export { newVisitor, visitor, VisitorLinkedError } from './visitor.js';
export { notifyConsentChanged, watch } from './watching.js';
export type { ReceiptVerdict, VerifyingKey, VerifyingKeys } from './receipts/verify.js';
