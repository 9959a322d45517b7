import type { Connection, ReadOptions } from './sending/connection.js';
import type { ConsentMode, GppString, TcString } from './types.js';

/*
 * Consent in the formats of advertising and analytics tools.
 */

/** A consent string of IAB TCF with its metadata. */
export const getTcString = (connection: Connection, subject: string, options?: ReadOptions): Promise<TcString> =>
  about(connection, 'tcstring', subject, options);

/** A string of IAB GPP with its sections. */
export const getGppString = (connection: Connection, subject: string, options?: ReadOptions): Promise<GppString> =>
  about(connection, 'gpp', subject, options);

/** What Google’s tags may do: the types of consent mode, before a choice and now. */
export const getConsentMode = (connection: Connection, subject: string, options?: ReadOptions): Promise<ConsentMode> =>
  about(connection, 'google-consent-mode', subject, options);

const about = <T>(connection: Connection, what: string, subject: string, options?: ReadOptions): Promise<T> =>
  connection.read(`/v1/consent/${what}`, { subject, ...options } as ReadOptions);
