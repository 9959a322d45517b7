import {
  Connection,
  type CallOptions,
  type ConnectionOptions,
  type ReadOptions,
  type WriteOptions,
} from './sending/connection.js';
import {
  getBanner,
  getPolicy,
  getPreferenceTemplate,
  getPurpose,
  getPurposes,
  getWebhookEvents,
  type InLanguage,
} from './catalogue.js';
import { applyConsentMode, type Gtag } from './consent-mode.js';
import {
  getConsentHistory,
  getConsentState,
  recordConsent,
  recordConsentBatch,
  type BatchOptions,
  type ConsentStateOptions,
} from './consent.js';
import { getConsentMode, getGppString, getTcString } from './frameworks.js';
import { gate } from './gate.js';
import { keepOffline, type OnRefused } from './sending/offline-queue.js';
import {
  createPreferenceConfirmationToken,
  getPreferenceHistory,
  getPreferences,
  recordPreferences,
  type PreferencesOptions,
} from './preferences.js';
import { getReceipt, verifyReceipt } from './receipt.js';
import type { ReceiptVerdict, VerifyingKeys } from './receipts/verify.js';
import { createDataRequest, createPortalToken } from './sending/requests.js';
import { addIdentifier, createSubject, mergeSubjects } from './subjects.js';
import type * as T from './types.js';
import { newVisitor, visitor } from './visitor.js';
import { notifyConsentChanged } from './watching.js';

export interface ClientOptions extends ConnectionOptions {
  /**
   * In pages: keeps decisions and preferences that cannot be sent in the browser, and sends them later, in their
   * order, each with one effect. A function is called with those that the service then refuses. Default: false.
   */
  offlineQueue?: boolean | OnRefused;
}

/**
 * Consent and preferences of one site and environment, in pages and on servers. `subject` is a reference `<kind>:<value>`
 * everywhere. Methods reject with an AssentError.
 */
export interface AssentClient<N extends T.Names = T.CatalogueNames> extends Connection {
  /** Records one decision. In a browser whose person objects by Global Privacy Control, the record says so. */
  recordConsent(params: T.RecordConsent<N>, options?: WriteOptions): Promise<T.ConsentRecord<N>>;
  /** Records up to 500 decisions. Those of one subject are recorded together or not at all. */
  recordConsentBatch(records: readonly T.BatchItem<N>[], options?: BatchOptions): Promise<T.BatchResult>;
  /** Records choices of a preference centre: all of them or none. */
  recordPreferences(params: T.RecordPreferences<N>, options?: WriteOptions): Promise<T.PreferenceRecord>;
  /** What a subject said (`state`) and what may be done (`effective`), by purpose. */
  getConsentState(subject: string, options?: ConsentStateOptions<N>): Promise<T.ConsentState<N>>;
  /** Channels with their topics, and typed fields. */
  getPreferences(subject: string, options?: PreferencesOptions): Promise<T.Preferences<N>>;
  /** The purposes in force, by key; page by page if there are more than `limit`. */
  getPurposes(options?: T.PurposesQuery & CallOptions): Promise<T.PurposeList>;
  /** The version of a purpose that is in force. */
  getPurpose(key: T.PurposeKey<N>, options?: InLanguage): Promise<T.Purpose>;
  /** The template of a preference centre. */
  getPreferenceTemplate(options?: InLanguage): Promise<T.PreferenceTemplate>;
  /** What the law of a place demands. */
  getPolicy(options?: T.PolicyQuery & CallOptions): Promise<T.Policy>;
  /** What a banner shows, with the token that proves it. Needs a public key. */
  getBanner(options?: T.BannerQuery & CallOptions): Promise<T.Banner>;
  /** A consent string of IAB TCF with its metadata. */
  getTcString(subject: string, options?: ReadOptions): Promise<T.TcString>;
  /** A string of IAB GPP with its sections. */
  getGppString(subject: string, options?: ReadOptions): Promise<T.GppString>;
  /** What Google’s tags may do: the types of consent mode, before a choice and now. */
  getConsentMode(subject: string, options?: ReadOptions): Promise<T.ConsentMode>;
  /**
   * Keeps Google’s consent mode as the subject wants it. The default, all denied, goes out before this returns, so call
   * it before the script of any tag; what is allowed follows, and again after each `notifyConsentChanged`. `standing`:
   * another default. Resolves after the first update with a function that ends it.
   */
  applyConsentMode(subject: string, gtag: Gtag, standing?: object): Promise<() => void>;
  /**
   * A signed receipt. With a public key it takes the identity token of the person, or the `token` of the write’s
   * answer.
   */
  getReceipt(id: string, options?: T.ReceiptQuery & CallOptions): Promise<T.Receipt>;
  /** Whether a key of the service signed the receipt. The key set is fetched once; with `keys` nothing is fetched. */
  verifyReceipt(receipt: T.Receipt | string, options?: { keys?: VerifyingKeys }): Promise<ReceiptVerdict>;
  /** A link by which a subject enters the portal without signing in. Needs a secret key. */
  createPortalToken(subject: string, options?: T.PortalTokenRequest & WriteOptions): Promise<T.PortalToken>;
  /** Creates the subject that the identifiers name, or returns the one that they name already. Needs a secret key. */
  createSubject(params: T.CreateSubject, options?: WriteOptions): Promise<T.Subject>;
  /** Gives a subject another identifier; an anonymous visitor becomes part of the person that way. Needs a secret key. */
  addIdentifier(subject: string, params: T.AddIdentifier, options?: WriteOptions): Promise<T.Subject>;
  /** Makes several subjects one; `conflicts` names their differences. Needs a secret key. */
  mergeSubjects(params: T.MergeSubjects, options?: WriteOptions): Promise<T.MergeResult>;
  /** Opens a data request on behalf of a subject. Needs a secret key. */
  createDataRequest(params: T.CreateDataRequest, options?: WriteOptions): Promise<T.DataRequest>;
  /** Every decision of a subject, newest first. Needs a secret key. */
  getConsentHistory(subject: string, options?: T.ConsentHistoryQuery & CallOptions): Promise<T.ConsentHistory>;
  /** Every choice of a subject, newest first. Needs a secret key. */
  getPreferenceHistory(subject: string, options?: T.PreferenceHistoryQuery & CallOptions): Promise<T.PreferenceHistory>;
  /** Begins a double opt-in. Needs a secret key and a server: the token must never reach a browser. */
  createPreferenceConfirmationToken(
    request: T.ConfirmationRequest<N>,
    options?: WriteOptions,
  ): Promise<T.ConfirmationToken>;
  /** Every type of webhook event with its schema, and the guarantees of deliveries. */
  getWebhookEvents(options?: CallOptions): Promise<T.WebhookCatalogue>;
  /**
   * Runs the callback once, as soon as the subject allows one of the purposes: at once if it does already, else after
   * `notifyConsentChanged`. Returns a function that stops waiting.
   */
  gate(subject: string, purposes: readonly T.PurposeKey<N>[], callback: () => unknown): () => void;
  /**
   * Call it after consent has changed: all gates and consent modes read the state again, past every cache, in all tabs
   * of this origin.
   */
  notifyConsentChanged(): void;
  /** Reference of this browser’s visitor, the same on every page of the origin, made at the first call. */
  visitor(): string;
  /** Begins a new visitor, after a logout, and returns its reference. */
  newVisitor(): string;
}

/** These functions become methods: their first argument is the client. */
const METHODS = {
  recordConsent,
  recordConsentBatch,
  recordPreferences,
  getConsentState,
  getPreferences,
  getPurposes,
  getPurpose,
  getPreferenceTemplate,
  getPolicy,
  getBanner,
  getTcString,
  getGppString,
  getConsentMode,
  applyConsentMode,
  getReceipt,
  verifyReceipt,
  createPortalToken,
  createSubject,
  addIdentifier,
  mergeSubjects,
  createDataRequest,
  getConsentHistory,
  getPreferenceHistory,
  createPreferenceConfirmationToken,
  getWebhookEvents,
  gate,
  notifyConsentChanged,
  visitor,
  newVisitor,
};
type MethodNames = Exclude<keyof AssentClient, keyof Connection>;
type Act = (connection: Connection, ...rest: unknown[]) => unknown;

function withMethods(): new <N extends T.Names = T.CatalogueNames>(options: ClientOptions) => AssentClient<N> {
  class Client extends Connection {
    constructor(options: ClientOptions) {
      super(options);
      const { offlineQueue } = options;
      if (offlineQueue) keepOffline(this, offlineQueue === true ? undefined : offlineQueue);
    }
  }
  const methods = Client.prototype as unknown as Record<string, (...rest: unknown[]) => unknown>;
  for (const [name, act] of Object.entries(METHODS satisfies Record<MethodNames, unknown>))
    methods[name] = function (this: Connection, ...rest: unknown[]) {
      return (act as Act)(this, ...rest);
    };
  return Client as unknown as ReturnType<typeof withMethods>;
}

export const AssentClient = /* @__PURE__ */ withMethods();
