import { subjectPath } from './sending/address.js';
import type { CallOptions, Connection, ReadOptions, WriteOptions } from './sending/connection.js';
import { objectsByGpc } from './page.js';
import { readBySecretKey } from './secret-key.js';
import type {
  BatchItem,
  BatchResult,
  CatalogueNames,
  ConsentHistory,
  ConsentHistoryQuery,
  ConsentRecord,
  ConsentState,
  ConsentStateQuery,
  PurposeKey,
  RecordConsent,
} from './types.js';

export interface ConsentStateOptions<N>
  extends ReadOptions, Pick<ConsentStateQuery, 'country' | 'region' | 'asOf' | 'knownAt'> {
  /** Only this purpose, or these. */
  purpose?: PurposeKey<N> | readonly PurposeKey<N>[];
}

export interface BatchOptions extends WriteOptions {
  /** PARTIAL (default) records what it can; ATOMIC nothing if one record is refused. */
  mode?: 'PARTIAL' | 'ATOMIC';
  /** Returns what would be recorded, and records nothing. */
  dryRun?: boolean;
}

/** Records one decision. In a browser whose person objects by Global Privacy Control, the record says so. */
export const recordConsent = <N = CatalogueNames>(
  connection: Connection,
  params: RecordConsent<N>,
  options?: WriteOptions,
): Promise<ConsentRecord<N>> => connection.write('/v1/consent', withSignals(params), options);

/** Records up to 500 decisions. Those of one subject are recorded together or not at all. */
export const recordConsentBatch = <N = CatalogueNames>(
  connection: Connection,
  records: readonly BatchItem<N>[],
  { mode, dryRun, ...options }: BatchOptions = {},
): Promise<BatchResult> =>
  connection.write('/v1/consent/batch', { records: records.map(withSignals), mode, dryRun }, options);

/** What a subject said (`state`) and what may be done (`effective`), by purpose. */
export const getConsentState = <N = CatalogueNames>(
  connection: Connection,
  subject: string,
  options?: ConsentStateOptions<N>,
): Promise<ConsentState<N>> => connection.read(subjectPath(subject, '/consent'), options);

/** Every decision of a subject, newest first. Needs a secret key. */
export const getConsentHistory = (
  connection: Connection,
  subject: string,
  options?: ConsentHistoryQuery & CallOptions,
): Promise<ConsentHistory> => readBySecretKey(connection, subjectPath(subject, '/consent/history'), options);

const withSignals = <T extends { readonly signals?: object }>(record: T): T =>
  objectsByGpc() ? { ...record, signals: { gpc: true, ...record.signals } } : record;
