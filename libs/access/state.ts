import type { Environment, Fold, Instant } from '../kernel/index.js';
import type { ApiKeyIssued, RateLimitPolicy, SiteEvent, SiteSettings } from './events.js';

export const KEY_CONDITIONS = ['live', 'expired', 'revoked'] as const;
export type KeyCondition = (typeof KEY_CONDITIONS)[number];

export type KeyState = ApiKeyIssued['data'] & {
  /** null only between the decision and the recording of an event. */
  createdBy: string | null;
  /** Ids of the keys before and after it. */
  rotatedFrom: string | null;
  replacedBy: string | null;
  rotatedAt: Instant | null;
  revokedAt: Instant | null;
};

/** A key without its secrets, for lists and answers. */
export type ShownKey = Omit<KeyState, 'secretHash' | 'sealedIdentityKey'>;

/** A site with all the keys it ever had; several can be live at once, as rotation needs. */
export interface SiteState {
  site: string | null;
  settings: SiteSettings;
  keys: ReadonlyMap<string, KeyState>;
}

/** Settings that a registration does not name. */
export const DEFAULT_SETTINGS: SiteSettings = {
  name: '',
  domains: [],
  languages: ['en'],
  defaultLocale: 'en',
  allowedOrigins: { test: [], live: [] },
  evidence: { ip: 'TRUNCATED', userAgent: true },
  allowSecretKeyInBrowser: false,
  rateLimits: { pk: null, sk: null },
  linkedVisitors: 'CLOSED',
  identifierKinds: [],
  confirmationHours: 48,
};

/** In units of work: a record, a read and a page of history cost one each. */
export const DEFAULT_RATE_LIMITS: Readonly<Record<'pk' | 'sk' | 'unauthenticated', RateLimitPolicy>> = {
  sk: { perSecond: 5000, burst: 10_000 },
  /** Per key and address. */
  pk: { perSecond: 50, burst: 250 },
  /** Per address; failed authentications count here too. */
  unauthenticated: { perSecond: 10, burst: 20 },
};

export const siteFold: Fold<SiteState, SiteEvent & { metadata?: { actor: string } }> = {
  initial: () => ({ site: null, settings: DEFAULT_SETTINGS, keys: new Map() }),
  evolve: (state, event) => {
    switch (event.type) {
      case 'SiteRegistered': {
        const { site, ...settings } = event.data;
        return { ...state, site, settings: { ...DEFAULT_SETTINGS, ...settings } };
      }
      case 'SiteChanged':
        return { ...state, settings: { ...state.settings, ...event.data } };
      case 'ApiKeyIssued':
        return {
          ...state,
          keys: new Map(state.keys).set(event.data.keyId, {
            ...event.data,
            createdBy: event.metadata?.actor ?? null,
            rotatedFrom: null,
            replacedBy: null,
            rotatedAt: null,
            revokedAt: null,
          }),
        };
      case 'ApiKeyRotated': {
        const { keyId, successorId, expiresAt, at } = event.data;
        return withKey(withKey(state, keyId, { replacedBy: successorId, rotatedAt: at, expiresAt }), successorId, {
          rotatedFrom: keyId,
        });
      }
      case 'ApiKeyRevoked':
        return withKey(state, event.data.keyId, { revokedAt: event.data.at });
      default:
        // Do not skip an unknown event: that could keep a key alive that a newer release revoked.
        throw new Error(`A site's stream holds an event of unknown type "${(event as { type: string }).type}"`);
    }
  },
};

/** Keys keep the order in which they were issued for ever, because lists are paged by it. */
function withKey(state: SiteState, keyId: string, changed: Partial<KeyState>): SiteState {
  const key = state.keys.get(keyId);
  return key ? { ...state, keys: new Map(state.keys).set(keyId, { ...key, ...changed }) } : state;
}

export const conditionOf = (key: ShownKey, at: Instant): KeyCondition =>
  key.revokedAt !== null ? 'revoked' : isExpired(key, at) ? 'expired' : 'live';
export const isLive = (key: KeyState, at: Instant): boolean => conditionOf(key, at) === 'live';
/** A key that was rotated without overlap has ended, even if the clock of this machine is behind. */
export const isExpired = ({ expiresAt, rotatedAt }: ShownKey, at: Instant): boolean =>
  expiresAt !== null && (expiresAt <= at || (rotatedAt !== null && expiresAt <= rotatedAt));

/** The origins that may use a public key: its own list if it has one, else the site's for its environment. */
export const originsOf = (state: SiteState, key: KeyState): readonly string[] =>
  key.allowedOrigins ?? originsIn(state, key.env);
const originsIn = (state: SiteState, env: Environment): readonly string[] => state.settings.allowedOrigins[env];

/** All origins that may use some live public key of the site. */
export function originsListed(state: SiteState): Set<string> {
  const listed = new Set<string>();
  for (const key of state.keys.values()) {
    if (key.type === 'pk' && key.revokedAt === null) for (const origin of originsOf(state, key)) listed.add(origin);
  }
  return listed;
}
