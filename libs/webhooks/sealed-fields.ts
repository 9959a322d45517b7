import type { MasterKey } from '../vault/master-key.js';

/*
 * What an endpoint has that must not be read in a dump of the log or of a table: where it is, because receivers put tokens
 * into their addresses, and the secrets that sign. Each is sealed for its endpoint alone; events hold it as base64url.
 */

type Seals = Pick<MasterKey, 'sealSecret'>;
type Opens = Pick<MasterKey, 'openSecret'>;

const urlOf = (endpointId: string): string => `webhook-url/${endpointId}`;
const secretOf = (endpointId: string): string => `webhook-secret/${endpointId}`;
const bytesOf = (sealed: string | Uint8Array): Uint8Array =>
  typeof sealed === 'string' ? Buffer.from(sealed, 'base64url') : sealed;

export const sealUrl = (master: Seals, endpointId: string, url: string): string =>
  master.sealSecret(urlOf(endpointId), Buffer.from(url)).toString('base64url');

/** `sealed`: as the event has it, or its bytes. Throws where it was sealed for another endpoint, or with another master key. */
export const openUrl = (master: Opens, endpointId: string, sealed: string | Uint8Array): string =>
  master.openSecret(urlOf(endpointId), bytesOf(sealed)).toString();

export const sealSecret = (master: Seals, endpointId: string, key: Uint8Array): string =>
  master.sealSecret(secretOf(endpointId), key).toString('base64url');

/** The 32 bytes that sign. Throws as `openUrl` does. */
export const openSecret = (master: Opens, endpointId: string, sealed: string | Uint8Array): Buffer =>
  master.openSecret(secretOf(endpointId), bytesOf(sealed));
