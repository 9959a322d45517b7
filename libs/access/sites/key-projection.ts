import { defineProjection } from '../../following/projections/projection.js';
import type { Environment, Instant } from '../../kernel/index.js';
import type { KeyType } from '../../context/scopes.js';
import type { ApiKeyIssued, ApiKeyRevoked, ApiKeyRotated } from '../events.js';
import type { GrantedScope } from '../../context/scopes.js';
import { siteFold, type KeyState, type ShownKey } from '../state.js';
import { SITE_PREFIX } from './site-projection.js';

/**
 * `read.site_keys`: one row for every key that a site ever had, for the operator's list. The row holds neither the hash
 * of the secret nor the sealed MAC key, so no reader can find or guess a key from it.
 */
export const siteKeysProjection = defineProjection<
  ReadonlyMap<string, ShownKey>,
  ApiKeyIssued | ApiKeyRotated | ApiKeyRevoked
>({
  name: 'site_keys',
  version: 1,
  on: ['ApiKeyIssued', 'ApiKeyRotated', 'ApiKeyRevoked'],
  streams: [SITE_PREFIX],
  key: (event) => event.stream.slice(SITE_PREFIX.length),
  initial: () => new Map(),
  // The fold copies the state of a key and reads neither of its secrets.
  evolve: (keys, event) =>
    siteFold.evolve({ ...siteFold.initial(), keys: keys as ReadonlyMap<string, KeyState> }, event).keys,
  rows: (site, keys) =>
    [...keys.values()].map((key, place) => ({
      site,
      key_id: key.keyId,
      place,
      type: key.type,
      env: key.env,
      name: key.name,
      last4: key.last4,
      scopes: key.scopes,
      allowed_origins: key.allowedOrigins,
      issued_at: key.issuedAt,
      created_by: key.createdBy,
      expires_at: key.expiresAt,
      rotated_from: key.rotatedFrom,
      replaced_by: key.replacedBy,
      rotated_at: key.rotatedAt,
      revoked_at: key.revokedAt,
    })),
  load: (_, rows) =>
    new Map(
      rows
        .toSorted((a, b) => (a.place as number) - (b.place as number))
        .map((row): [string, ShownKey] => [
          row.key_id as string,
          {
            keyId: row.key_id as string,
            type: row.type as KeyType,
            env: row.env as Environment,
            name: row.name as string,
            last4: row.last4 as string,
            scopes: row.scopes as GrantedScope[],
            allowedOrigins: row.allowed_origins as string[] | null,
            issuedAt: row.issued_at as Instant,
            createdBy: row.created_by as string | null,
            expiresAt: row.expires_at as Instant | null,
            rotatedFrom: row.rotated_from as string | null,
            replacedBy: row.replaced_by as string | null,
            rotatedAt: row.rotated_at as Instant | null,
            revokedAt: row.revoked_at as Instant | null,
          },
        ]),
    ),
  table: {
    columns: {
      site: 'text collate "C" not null',
      key_id: 'text collate "C" not null',
      // Place in the order of issue, from 0; the cursor of lists.
      place: 'integer not null',
      type: 'text not null',
      env: 'text not null',
      name: 'text not null',
      last4: 'text not null',
      scopes: 'jsonb not null',
      allowed_origins: 'jsonb',
      issued_at: 'timestamptz not null',
      created_by: 'text',
      expires_at: 'timestamptz',
      rotated_from: 'text',
      replaced_by: 'text',
      rotated_at: 'timestamptz',
      revoked_at: 'timestamptz',
    },
    keyColumn: 'site',
    primaryKey: ['site', 'key_id'],
    indexes: ['site, place'],
  },
});
