import type { Connection, WriteOptions } from './connection.js';
import { writeBySecretKey } from '../secret-key.js';
import type { DataRequest, CreateDataRequest, PortalToken, PortalTokenRequest } from '../types.js';

/** Opens a data request on behalf of a subject. Needs a secret key. */
export const createDataRequest = (
  connection: Connection,
  params: CreateDataRequest,
  options?: WriteOptions,
): Promise<DataRequest> => writeBySecretKey(connection, '/v1/data-requests', params, options);

/** A link by which a subject enters the portal without signing in. Needs a secret key. */
export const createPortalToken = (
  connection: Connection,
  subject: string,
  { idempotencyKey, signal, ...params }: PortalTokenRequest & WriteOptions = {},
): Promise<PortalToken> =>
  writeBySecretKey(connection, '/v1/portal-tokens', { subject, ...params }, { idempotencyKey, signal });
