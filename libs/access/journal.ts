import { defineJournal } from '../context/journal.js';
import type { SiteEvent, SiteSettings } from './events.js';
import type { OperatorTokenEvent } from './operators/operator-token-events.js';

/** Settings as the journal shows them: of a logo only that there is one. */
const shown = ({ logo, ...settings }: Partial<SiteSettings>): object => ({
  ...settings,
  ...(logo !== undefined && { logo: logo && { sha256: logo.sha256 } }),
});
const SITE = { type: 'SITE', id: null } as const;
const key = (id: string) => ({ type: 'API_KEY', id }) as const;
const operator = (id: string) => ({ type: 'OPERATOR', id }) as const;

export const accessJournal = defineJournal<SiteEvent | OperatorTokenEvent>({
  SiteRegistered: ({ site: _, ...settings }) => ({ target: SITE, summary: 'Site registered', after: shown(settings) }),
  SiteChanged: (settings) => ({
    target: SITE,
    summary: `Site changed: ${Object.keys(settings).join(', ')}`,
    after: shown(settings),
  }),
  ApiKeyIssued: ({ keyId, type, env, scopes, allowedOrigins, name, expiresAt }) => ({
    target: key(keyId),
    summary: type === 'sk' ? 'Secret key issued' : 'Public key issued',
    after: { type, scopes, allowedOrigins, name, expiresAt },
    env,
  }),
  ApiKeyRotated: ({ keyId, successorId, expiresAt, reason }) => ({
    target: key(keyId),
    summary: 'Key rotated',
    reason,
    after: { successorId, expiresAt },
  }),
  ApiKeyRevoked: ({ keyId, reason }) => ({ target: key(keyId), summary: 'Key revoked', reason }),
  OperatorTokenIssued: ({ tokenId, name, roles, expiresAt }) => ({
    target: operator(tokenId),
    summary: 'Operator token issued',
    after: { name, roles, expiresAt },
  }),
  OperatorTokenRotated: ({ tokenId, successorId, expiresAt, reason }) => ({
    target: operator(tokenId),
    summary: 'Operator token rotated',
    reason,
    after: { successorId, expiresAt },
  }),
  OperatorTokenRevoked: ({ tokenId, reason }) => ({
    target: operator(tokenId),
    summary: 'Operator token revoked',
    reason,
  }),
  OperatorTokenChanged: ({ tokenId, name, roles }) => ({
    target: operator(tokenId),
    summary: roles === null ? 'Operator renamed' : 'Roles of an operator changed',
    after: { ...(name !== null && { name }), ...(roles !== null && { roles }) },
  }),
});
