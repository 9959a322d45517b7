import { subjectPath } from './sending/address.js';
import type { CallOptions, Connection, ReadOptions, WriteOptions } from './sending/connection.js';
import { UsageError } from './errors.js';
import { inPage } from './page.js';
import { readBySecretKey, writeBySecretKey } from './secret-key.js';
import type {
  CatalogueNames,
  ConfirmationRequest,
  ConfirmationToken,
  PreferenceHistory,
  PreferenceHistoryQuery,
  PreferenceRecord,
  Preferences,
  PreferencesQuery,
  RecordPreferences,
} from './types.js';

export interface PreferencesOptions extends ReadOptions, Pick<PreferencesQuery, 'asOf'> {}

/** Records choices of a preference centre: all of them or none. */
export const recordPreferences = <N = CatalogueNames>(
  connection: Connection,
  params: RecordPreferences<N>,
  options?: WriteOptions,
): Promise<PreferenceRecord> => connection.write('/v1/preferences', params, options);

/** Channels with their topics, and typed fields. */
export const getPreferences = <N = CatalogueNames>(
  connection: Connection,
  subject: string,
  options?: PreferencesOptions,
): Promise<Preferences<N>> => connection.read(subjectPath(subject, '/preferences'), options);

/** Every choice of a subject, newest first. Needs a secret key. */
export const getPreferenceHistory = (
  connection: Connection,
  subject: string,
  options?: PreferenceHistoryQuery & CallOptions,
): Promise<PreferenceHistory> => readBySecretKey(connection, subjectPath(subject, '/preferences/history'), options);

/**
 * Begins a double opt-in: with `to` the service mails the link, without it you do. Needs a secret key and a server: every
 * holder of the token can confirm, so it must never reach a browser.
 */
export async function createPreferenceConfirmationToken<N = CatalogueNames>(
  connection: Connection,
  request: ConfirmationRequest<N>,
  options?: WriteOptions,
): Promise<ConfirmationToken> {
  if (inPage())
    throw new UsageError({
      code: 'server_only',
      message: 'The token must never reach a browser.',
      hint: 'Do it on your server.',
    });
  return writeBySecretKey(connection, '/v1/preferences/confirmation-token', request, options);
}
