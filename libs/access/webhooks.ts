import { announcedAs, defineAnnouncements } from '../context/webhook-types.js';
import { OneOf, Text, Timestamp } from '../http/contract/fields.js';
import type { Instant } from '../kernel/index.js';
import type { SiteEvent } from './events.js';

const KEY_ID = { example: 'key_xeESJMDvWdte', maxLength: 20 } as const;

export class ReplacedApiKeyDto {
  @OneOf(['api_key'], { description: 'What this is.', example: 'api_key' }) object!: string;
  @Text({ description: 'Id of the key.', ...KEY_ID }) id!: string;
  @Text({ description: 'Id of the key that takes its place.', example: 'key_ILThWUwoZpQV', maxLength: 20 })
  successorId!: string;
  @Timestamp({ description: 'When the old key stops working.' }) expiresAt!: string;
}

export class RevokedApiKeyDto {
  @OneOf(['api_key'], { description: 'What this is.', example: 'api_key' }) object!: string;
  @Text({ description: 'Id of the key.', ...KEY_ID }) id!: string;
  @Timestamp({ description: 'Since when it works no more.' }) revokedAt!: string;
}

const AT = '2026-11-21T12:00:00.000Z';

/** What webhooks announce of a site and its keys. The reason is not announced: it is what operators wrote for each other. */
export const siteAnnouncements = defineAnnouncements<SiteEvent>({
  SiteRegistered: [],
  SiteChanged: [],
  ApiKeyIssued: [],
  ApiKeyRotated: [
    announcedAs<{ keyId: string; successorId: string; expiresAt: Instant; at: Instant }>({
      webhook: {
        type: 'api_key.rotated',
        description: 'An API key has a successor, and stops working.',
        isAboutSubject: false,
        object: ReplacedApiKeyDto,
        previous: null,
      },
      announce: ({ data: { keyId, successorId, expiresAt, at } }) => ({
        occurredAt: at,
        object: { object: 'api_key', id: keyId, successorId, expiresAt },
        previous: null,
      }),
      sample: { keyId: KEY_ID.example, successorId: 'key_ILThWUwoZpQV', expiresAt: '2026-11-22T12:00:00.000Z', at: AT },
    }),
  ],
  ApiKeyRevoked: [
    announcedAs<{ keyId: string; at: Instant }>({
      webhook: {
        type: 'api_key.revoked',
        description: 'An API key was revoked.',
        isAboutSubject: false,
        object: RevokedApiKeyDto,
        previous: null,
      },
      announce: ({ data: { keyId, at } }) => ({
        occurredAt: at,
        object: { object: 'api_key', id: keyId, revokedAt: at },
        previous: null,
      }),
      sample: { keyId: KEY_ID.example, at: AT },
    }),
  ],
});
