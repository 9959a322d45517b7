import { ONE_LINE, ONE_LINE_HINT, ENVIRONMENTS, SITE_PATTERN, type Environment } from '../../kernel/index.js';
import { Flag, ListOf, Nested, Numeric, OneOf, Text, Timestamp, Whole } from '../../http/contract/fields.js';
import { ListQuery } from '../../http/list.js';
import { KEY_TYPES, type KeyType } from '../../context/scopes.js';
import { OVERLAPS_MS, type Overlap } from '../decide.js';
import { CONFIRMATION_HOURS_MAX } from '../sites/issues.js';
import { SCOPES } from '../../context/scopes.js';
import { FrameworkSettingsChangeDto, FrameworkSettingsDto } from './frameworks.dto.js';
import { DEFAULT_RATE_LIMITS, KEY_CONDITIONS, type KeyCondition } from '../state.js';

const ORIGIN = {
  maxLength: 300,
  pattern: '^https?://[^/\\s]+$',
  patternHint: 'an origin such as https://shop.example',
} as const;
const SITE = {
  maxLength: 40,
  pattern: SITE_PATTERN.source,
  patternHint: 'a slug of lower-case letters, digits and hyphens',
} as const;

const LINE = { pattern: ONE_LINE.source, patternHint: ONE_LINE_HINT } as const;

export class OriginsDto {
  @ListOf(() => 'string', {
    description: 'Origins of pages that may call with a public test key.',
    example: ['http://localhost:3000'],
    maxItems: 100,
    of: ORIGIN,
    optional: true,
  })
  test?: string[];
  @ListOf(() => 'string', {
    description: 'Origins of pages that may call with a public live key.',
    example: ['https://shop.example'],
    maxItems: 100,
    of: ORIGIN,
    optional: true,
  })
  live?: string[];
}

export class ChangeOriginsDto {
  @OneOf(ENVIRONMENTS, { description: 'Whose public keys.', example: 'test' }) env!: Environment;
  @ListOf(() => 'string', {
    description: 'Origins whose pages may call from now on. One that is listed already stays.',
    example: ['http://localhost:3000'],
    maxItems: 100,
    of: ORIGIN,
    optional: true,
  })
  add?: string[];
  @ListOf(() => 'string', {
    description: 'Origins whose pages may call no longer, as they are listed. One that is not listed is passed over.',
    example: [],
    maxItems: 100,
    of: { maxLength: 300 },
    optional: true,
  })
  remove?: string[];
}

export class RateLimitDto {
  @Numeric({
    description: 'Units of work per second that are always possible.',
    example: 50,
    min: 0.001,
    max: 1_000_000,
  })
  perSecond!: number;
  @Whole({ description: 'Units of work at once after a pause.', example: 150, min: 1, max: 1_000_000 }) burst!: number;
}

const inWords = ({ perSecond, burst }: { perSecond: number; burst: number }): string =>
  `${perSecond} units per second, ${burst} at once`;

/** A field that is left out keeps its value. Null: the defaults of the service. */
export class RateLimitsDto {
  @Nested(() => RateLimitDto, {
    description: `Per public key and address. Default: ${inWords(DEFAULT_RATE_LIMITS.pk)}.`,
    optional: true,
    nullable: true,
  })
  pk?: RateLimitDto | null;
  @Nested(() => RateLimitDto, {
    description: `Per secret key. Default: ${inWords(DEFAULT_RATE_LIMITS.sk)}.`,
    optional: true,
    nullable: true,
  })
  sk?: RateLimitDto | null;
}

/** A field that is left out keeps its value. */
export class EvidenceSettingsDto {
  @OneOf(['TRUNCATED', 'NONE'], {
    description: 'What is kept of an address beside a decision: its network (/24, /48), or nothing. Default TRUNCATED.',
    example: 'TRUNCATED',
    optional: true,
  })
  ip?: 'TRUNCATED' | 'NONE';
  @Flag({
    description: 'Whether family and major version of the browser are kept beside a decision. Default true.',
    example: true,
    optional: true,
  })
  userAgent?: boolean;
}

const LINKED_VISITORS = {
  description:
    'CLOSED: a visitor who was linked to a person is that person, and needs an identity token with a public key. OPEN: a caller who has the visitor’s id still reaches the person, also the next user of a shared browser. Default CLOSED.',
  example: 'CLOSED',
} as const;
const LEDGER = {
  description:
    'OPEN: any caller may read checkpoints and tiles of the ledgers of the site, without a key, so that witnesses can follow. They hold hashes only. Default CLOSED.',
  example: 'CLOSED',
} as const;
const IDENTIFIER_KINDS = {
  description: 'Kinds of identifier that the site has of its own, `custom.<slug>`. Others are refused.',
  example: ['custom.loyalty_card'],
  maxItems: 100,
  of: { maxLength: 50, pattern: '^custom\\.[a-z][a-z0-9_]{0,39}$', patternHint: 'custom. and a slug' },
};
const SECRET_KEY_IN_BROWSER = {
  description:
    'Whether a secret key is accepted from a browser, where every user of the page can read it: only for consoles behind a log-in. Default false.',
  example: false,
} as const;

export class RegisterSiteDto {
  @Text({ description: 'Name of the site in keys, streams and paths; never changes.', example: 'shop', ...SITE })
  site!: string;
  @Text({ description: 'Name for people.', example: 'Shop Example', maxLength: 200, ...LINE }) name!: string;
  @ListOf(() => 'string', {
    description:
      'Hosts the site is served from; `*.shop.example` means every sub-domain. With a port only where it is another one than 443.',
    example: ['shop.example'],
    maxItems: 100,
    of: { maxLength: 253 },
    optional: true,
  })
  domains?: string[];
  @ListOf(() => 'string', {
    description: 'Languages of its texts.',
    example: ['en', 'de'],
    maxItems: 100,
    of: { maxLength: 35 },
    optional: true,
  })
  languages?: string[];
  @Text({ description: 'Language where no wish can be met.', example: 'en', maxLength: 35, optional: true })
  defaultLocale?: string;
  @Nested(() => OriginsDto, { description: 'Pages that may call with public keys.', optional: true })
  allowedOrigins?: OriginsDto;
  @Nested(() => RateLimitsDto, {
    description: 'How much its keys may ask for: a record, a read and a page of history are one unit each.',
    optional: true,
  })
  rateLimits?: RateLimitsDto;
  @Whole({
    description: 'Hours for which a link that confirms a preference is good. Default 48.',
    example: 48,
    min: 1,
    max: CONFIRMATION_HOURS_MAX,
    optional: true,
  })
  confirmationHours?: number;
  @Nested(() => EvidenceSettingsDto, {
    description: 'What of a request is kept as evidence beside a decision.',
    optional: true,
  })
  evidence?: EvidenceSettingsDto;
  @Flag({ ...SECRET_KEY_IN_BROWSER, optional: true }) allowSecretKeyInBrowser?: boolean;
  @OneOf(['CLOSED', 'OPEN'], { ...LINKED_VISITORS, optional: true }) linkedVisitors?: 'CLOSED' | 'OPEN';
  @OneOf(['CLOSED', 'OPEN'], { ...LEDGER, optional: true }) ledger?: 'CLOSED' | 'OPEN';
  @ListOf(() => 'string', { ...IDENTIFIER_KINDS, optional: true }) identifierKinds?: string[];
  @Nested(() => FrameworkSettingsChangeDto, {
    description: 'What strings of frameworks (IAB TCF and GPP) say of the site.',
    optional: true,
  })
  frameworks?: FrameworkSettingsChangeDto;
}

export class SiteDto {
  @Text({ description: 'Name of the site.', example: 'shop', ...SITE }) site!: string;
  @Text({ description: 'Name for people.', example: 'Shop Example', maxLength: 200, minLength: 0 }) name!: string;
  @ListOf(() => 'string', { description: 'Hosts.', example: ['shop.example'], maxItems: 100 }) domains!: string[];
  @ListOf(() => 'string', { description: 'Languages.', example: ['en'], maxItems: 100 }) languages!: string[];
  @Text({ description: 'Default language.', example: 'en', maxLength: 35 }) defaultLocale!: string;
  @Nested(() => OriginsDto, { description: 'Pages that may call with public keys.' }) allowedOrigins!: OriginsDto;
  @Nested(() => RateLimitsDto, {
    description: 'How much its keys may ask for; null: as much as the service allows by default.',
  })
  rateLimits!: RateLimitsDto;
  @Whole({
    description: 'Hours for which a link that confirms a preference is good.',
    example: 48,
    min: 1,
    max: CONFIRMATION_HOURS_MAX,
  })
  confirmationHours!: number;
  @Nested(() => EvidenceSettingsDto, { description: 'What of a request is kept as evidence beside a decision.' })
  evidence!: EvidenceSettingsDto;
  @Flag(SECRET_KEY_IN_BROWSER) allowSecretKeyInBrowser!: boolean;
  @OneOf(['CLOSED', 'OPEN'], LINKED_VISITORS) linkedVisitors!: 'CLOSED' | 'OPEN';
  @OneOf(['CLOSED', 'OPEN'], LEDGER) ledger!: 'CLOSED' | 'OPEN';
  @ListOf(() => 'string', IDENTIFIER_KINDS) identifierKinds!: string[];
  @Nested(() => FrameworkSettingsDto, { description: 'What strings of frameworks (IAB TCF and GPP) say of the site.' })
  frameworks!: FrameworkSettingsDto;
}

export class SiteListDto {
  @ListOf(() => SiteDto, { description: 'By name.', maxItems: 200 }) data!: SiteDto[];
  @Text({ description: 'Where to go on; null on the last page.', example: null, maxLength: 200, nullable: true })
  nextCursor!: string | null;
  @Flag({ description: 'Whether there are more.', example: false }) hasMore!: boolean;
}

export class IssueKeyDto {
  @OneOf(KEY_TYPES, { description: 'Public or secret.', example: 'sk' }) type!: KeyType;
  @OneOf(ENVIRONMENTS, { description: 'Environment.', example: 'test' }) env!: Environment;
  @Text({ description: 'What the key is for.', example: 'backend', maxLength: 100, ...LINE }) name!: string;
  @ListOf(() => 'string', {
    description: 'Scopes; default: all that its type can hold.',
    example: ['consent:read'],
    maxItems: 50,
    of: { values: Object.keys(SCOPES) },
    optional: true,
  })
  scopes?: (keyof typeof SCOPES)[];
  @ListOf(() => 'string', {
    description: 'Origins of this public key instead of the site’s.',
    example: ['https://shop.example'],
    maxItems: 100,
    of: ORIGIN,
    optional: true,
  })
  allowedOrigins?: string[];
  @Timestamp({ description: 'When the key stops working.', optional: true }) expiresAt?: string;
}

export class KeyDto {
  @Text({ description: 'Id of the key.', example: 'key_4Zt8nXq2LmPa', maxLength: 20 }) id!: string;
  @OneOf(KEY_TYPES, { description: 'Public or secret.', example: 'sk' }) type!: string;
  @OneOf(ENVIRONMENTS, { description: 'Environment.', example: 'test' }) env!: string;
  @Text({ description: 'What it is for.', example: 'backend', maxLength: 100, minLength: 0 }) name!: string;
  @Text({ description: 'Last characters of the key.', example: 'x9Qz', maxLength: 4 }) last4!: string;
  @ListOf(() => 'string', { description: 'Scopes; `*`: all.', example: ['*'], maxItems: 50 }) scopes!: string[];
  @ListOf(() => 'string', {
    description: 'Origins of pages that may call with it; null: those of its site. Always null for a secret key.',
    example: null,
    maxItems: 100,
    nullable: true,
  })
  allowedOrigins!: string[] | null;
  @OneOf(KEY_CONDITIONS, { description: 'Whether it works.', example: 'live' }) state!: string;
  @Timestamp({ description: 'When it was issued.' }) createdAt!: string;
  @Text({
    description:
      'Who issued it: `operator:` and the id of the token, or `system:` and what; only `operator` before tokens had ids.',
    example: 'operator:opt_first',
    maxLength: 100,
  })
  createdBy!: string;
  @Timestamp({ description: 'When it stops working, by its term or because it was rotated.', nullable: true })
  expiresAt!: string | null;
  @Text({ description: 'Id of the key that it took over from.', example: null, maxLength: 20, nullable: true })
  rotatedFrom!: string | null;
  @Text({ description: 'Id of the key that took over.', example: null, maxLength: 20, nullable: true }) replacedBy!:
    string | null;
  @Timestamp({ description: 'When it was revoked.', nullable: true }) revokedAt!: string | null;
}

export class IssuedKeyDto extends KeyDto {
  @Text({ description: 'The key itself. Shown this once.', example: 'sk_test_…', maxLength: 80 }) key!: string;
}

export class RotateKeyDto {
  @OneOf(Object.keys(OVERLAPS_MS), {
    description: 'How long the old key goes on working; `0`: not a moment longer. Default: `24h`.',
    example: '24h',
    optional: true,
  })
  overlap?: Overlap;
  @Text({ description: 'Why, for the record.', example: 'yearly', maxLength: 300, optional: true, ...LINE })
  reason?: string;
}

export class RotatedKeyDto extends IssuedKeyDto {
  @Timestamp({ description: 'When the old key stops working.' }) overlapEndsAt!: string;
}

export class KeyListQuery extends ListQuery {
  @OneOf(KEY_TYPES, { description: 'Only public or only secret keys.', example: 'sk', optional: true }) type?: KeyType;
  @OneOf(ENVIRONMENTS, { description: 'Only of this environment.', example: 'live', optional: true }) env?: Environment;
  @OneOf(KEY_CONDITIONS, {
    description: 'Only keys that work, that expired or that were revoked.',
    example: 'live',
    optional: true,
  })
  state?: KeyCondition;
}

export class ListedKeyDto extends KeyDto {
  @Timestamp({
    description:
      'Start of the hour in which it was last used; null: no use is known. Up to a minute late, and a process that is killed forgets its last minute.',
    nullable: true,
  })
  lastUsedAt!: string | null;
}

export class KeyListDto {
  @ListOf(() => ListedKeyDto, { description: 'Newest first.', maxItems: 200 }) data!: ListedKeyDto[];
  @Text({ description: 'Where to go on; null on the last page.', example: null, maxLength: 200, nullable: true })
  nextCursor!: string | null;
  @Flag({ description: 'Whether there are more.', example: false }) hasMore!: boolean;
}

export class RevokeKeyDto {
  @Text({ description: 'Why, for the record.', example: 'leaked', maxLength: 300, optional: true, ...LINE })
  reason?: string;
}
