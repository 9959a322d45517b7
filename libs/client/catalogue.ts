import type { CallOptions, Connection } from './sending/connection.js';
import type {
  Banner,
  BannerQuery,
  Policy,
  PolicyQuery,
  PreferenceTemplate,
  Purpose,
  PurposeList,
  PurposesQuery,
  WebhookCatalogue,
} from './types.js';

export interface InLanguage extends CallOptions {
  /** Wanted language, BCP 47. Default: that of the request, then that of the catalogue. */
  locale?: string;
}

/** The purposes in force, by key; page by page if there are more than `limit`. */
export const getPurposes = (connection: Connection, options?: PurposesQuery & CallOptions): Promise<PurposeList> =>
  connection.read('/v1/purposes', options);

/** The version of a purpose that is in force. */
export const getPurpose = (connection: Connection, key: string, options?: InLanguage): Promise<Purpose> =>
  connection.read(`/v1/purposes/${encodeURIComponent(key)}/current`, options);

/** The template of a preference centre. */
export const getPreferenceTemplate = (connection: Connection, options?: InLanguage): Promise<PreferenceTemplate> =>
  connection.read('/v1/preference-template', options);

/** What the law of a place demands. */
export const getPolicy = (connection: Connection, options?: PolicyQuery & CallOptions): Promise<Policy> =>
  connection.read('/v1/policy', options);

/** What a banner shows, with the token that proves it. Needs a public key. */
export const getBanner = (connection: Connection, options?: BannerQuery & CallOptions): Promise<Banner> =>
  connection.read('/v1/banner', options);

/** Every type of webhook event with its schema, and the guarantees of deliveries. */
export const getWebhookEvents = (connection: Connection, options?: CallOptions): Promise<WebhookCatalogue> =>
  connection.read('/v1/webhook-events', options);
