import { PORTAL_SCOPES, PORTAL_TOKEN_SECONDS } from '../../access/index.js';
import { ListOf, Text, Timestamp, Whole } from '../../http/contract/fields.js';

const TOKEN = 'eyJhbGciOiJFZERTQSIsImtpZCI6ImsiLCJ0eXAiOiJjb25zZW50LXBvcnRhbCtqd3QifQ.e30.c2ln';
export const PORTAL_TOKEN_EXAMPLE = {
  token: TOKEN,
  url: `https://consent.example/portal/shop/live#${TOKEN}`,
  expiresAt: '2026-11-21T12:15:00.000Z',
};

export class IssuePortalTokenDto {
  @Text({
    description:
      'Who may act for themselves with it: `<kind>:<value>` or the id of a subject. A new person becomes a subject.',
    example: 'email:ada@example.org',
    maxLength: 800,
  })
  subject!: string;
  @ListOf(() => 'string', {
    description: 'All that it allows. Default: all of them that your key has.',
    example: ['preferences:read', 'preferences:write'],
    minItems: 1,
    maxItems: PORTAL_SCOPES.length,
    of: { values: PORTAL_SCOPES },
    optional: true,
  })
  scopes?: (typeof PORTAL_SCOPES)[number][];
  @Whole({
    description: 'How long it is good for, in seconds.',
    example: 900,
    min: PORTAL_TOKEN_SECONDS.min,
    max: PORTAL_TOKEN_SECONDS.max,
    default: PORTAL_TOKEN_SECONDS.default,
    optional: true,
  })
  expiresInSeconds?: number;
  @Text({
    description:
      'Where the way back from the portal leads: https, on a domain of the site; in `test` also http on this machine.',
    example: 'https://demo.example/account',
    maxLength: 2048,
    optional: true,
  })
  redirectUrl?: string;
  @Text({
    description: 'Language of the portal, BCP 47. Default: that of the browser.',
    example: 'de-AT',
    maxLength: 35,
    pattern: '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}$',
    patternHint: 'a language tag',
    optional: true,
  })
  locale?: string;
}

export class PortalTokenDto {
  @Text({
    description: 'The token: a JWT signed with EdDSA. Its holder can act for this person until it ends.',
    example: TOKEN,
    maxLength: 8192,
  })
  token!: string;
  @Text({
    description:
      'The portal, with the token in the fragment, which browsers send to no server. It signs in once; give it to this person only.',
    example: PORTAL_TOKEN_EXAMPLE.url,
    maxLength: 10_000,
    format: 'uri',
  })
  url!: string;
  @Timestamp({ description: 'When it ends.', example: PORTAL_TOKEN_EXAMPLE.expiresAt }) expiresAt!: string;
}
