import { PURPOSE_CATEGORIES, type PurposeCategory } from '../../kernel/index.js';
import { Flag, ListOf, Nested, OneOf, Text, Timestamp, Whole } from '../../http/contract/fields.js';
import { ListQuery } from '../../http/list.js';
import { HOST, LOCALE, PURPOSE_KEY, TEMPLATE_KEY } from '../patterns.js';
import { TemplateChangeNoteDto } from '../template/template-dto.js';
import { texts } from '../texts/texts-field.js';
import { CatalogueVendorDto } from '../vendors/dto.js';
import { COOKIE_DURATIONS, COOKIE_MATCHES, COOKIE_PARTIES, COOKIE_TECHNOLOGIES, type Cookie } from './definition.js';

const NAME = {
  description: 'Name that a browser shows, its beginning, or a pattern in which `*` stands for any characters.',
  example: '_stat',
  maxLength: 200,
} as const;
const MATCH = { description: 'How `name` is compared.', example: 'EXACT' } as const;
const TECHNOLOGY = { description: 'Where it is kept, or what is loaded.', example: 'COOKIE' } as const;
const DOMAIN = { description: 'Domain that sets it', example: 'statistics.example' } as const;
const PATH = {
  description:
    'Path that the cookie is set for; `/` of all else. A cookie is deleted under the path that it was set for only.',
  example: '/',
  maxLength: 1024,
  // What a cookie header can hold (RFC 6265, 4.1.1).
  pattern: '^/[\\x20-\\x3a\\x3c-\\x7e]*$',
  patternHint: 'a path that begins with /, in printable ASCII without ;',
} as const;
const PARTY = {
  description: 'Whether the site itself sets it (FIRST) or another party (THIRD).',
  example: 'FIRST',
} as const;
const CATEGORY = { description: 'Category.', example: 'ANALYTICS' } as const;
const PURPOSES = {
  description: 'Keys of its purposes.',
  example: ['analytics'],
  maxItems: 50,
  of: PURPOSE_KEY,
} as const;
const DURATION = { description: 'SESSION: until the browser is closed.', example: 'PERSISTENT' } as const;
const AGE = { description: 'How long it stays, in seconds', example: 34_128_000, min: 1 } as const;

export class CookieFileDto {
  @Text(NAME) name!: string;
  @OneOf(COOKIE_MATCHES, { ...MATCH, default: 'EXACT', optional: true }) match?: Cookie['match'];
  @OneOf(COOKIE_TECHNOLOGIES, { ...TECHNOLOGY, default: 'COOKIE', optional: true })
  technology?: Cookie['technology'];
  @Text({ ...DOMAIN, ...HOST, description: `${DOMAIN.description}. Default: that of the page.`, optional: true })
  domain?: string;
  @Text({ ...PATH, default: '/', optional: true }) path?: string;
  @OneOf(COOKIE_PARTIES, { ...PARTY, default: 'FIRST', optional: true }) party?: Cookie['party'];
  @OneOf(PURPOSE_CATEGORIES, CATEGORY) category!: PurposeCategory;
  @ListOf(() => 'string', { ...PURPOSES, minItems: 1 }) purposeKeys!: string[];
  @Text({
    description: 'Key of its vendor in vendors.yaml. Default: the site itself.',
    example: 'demo_statistics',
    ...TEMPLATE_KEY,
    optional: true,
  })
  vendor?: string;
  @OneOf(COOKIE_DURATIONS, {
    ...DURATION,
    description: `${DURATION.description} Default: PERSISTENT where \`maxAgeSeconds\` is said.`,
    optional: true,
  })
  duration?: Cookie['duration'];
  @Whole({ ...AGE, description: `${AGE.description}.`, optional: true }) maxAgeSeconds?: number;
  @texts('What it is for', 'Tells visits apart.', 1000) description!: Record<string, string>;
}

/** `cookies.yaml`. Every text is there in every language of the list. */
export class CookiesFileDto {
  @Text({ description: 'Language that is served where no wish can be met.', example: 'en', ...LOCALE })
  defaultLocale!: string;
  @ListOf(() => CookieFileDto, { description: 'What is kept on devices, in the order of the list.', maxItems: 2000 })
  cookies!: CookieFileDto[];
  @Nested(() => TemplateChangeNoteDto, { description: 'About the version this file would become.', optional: true })
  change?: TemplateChangeNoteDto;
  @Timestamp({ description: 'From when the new version is in force. Default: at once.', optional: true })
  effectiveFrom?: string;
}

export class CookieListQuery extends ListQuery {
  @Text({
    description: 'Wanted language, BCP 47; looked up by RFC 4647. Default: Accept-Language, then its own.',
    example: 'de-AT',
    ...LOCALE,
    optional: true,
  })
  locale?: string;
  @Text({ description: 'Only what serves this purpose.', example: 'analytics', ...PURPOSE_KEY, optional: true })
  purpose?: string;
}

export class CookieDto {
  @Text(NAME) name!: string;
  @OneOf(COOKIE_MATCHES, MATCH) match!: string;
  @OneOf(COOKIE_TECHNOLOGIES, TECHNOLOGY) technology!: string;
  @Text({ ...DOMAIN, description: `${DOMAIN.description}; null: that of the page.`, maxLength: 253, nullable: true })
  domain!: string | null;
  @Text(PATH) path!: string;
  @OneOf(COOKIE_PARTIES, PARTY) party!: string;
  @OneOf(PURPOSE_CATEGORIES, CATEGORY) category!: string;
  @ListOf(() => 'string', PURPOSES) purposeKeys!: readonly string[];
  @Nested(() => CatalogueVendorDto, { description: 'Whose it is; null: of the site itself.', nullable: true })
  vendor!: CatalogueVendorDto | null;
  @OneOf(COOKIE_DURATIONS, DURATION) duration!: string;
  @Whole({ ...AGE, description: `${AGE.description}; null of SESSION, and where it has no end.`, nullable: true })
  maxAgeSeconds!: number | null;
  @Text({ description: 'What it is for, in the language served.', example: 'Tells visits apart.', maxLength: 1000 })
  description!: string;
}

export class CookieListDto {
  @OneOf(['cookie_list'], { description: 'What this is.', example: 'cookie_list' }) object!: string;
  @Whole({ description: 'Version of the list, from 1; 0 where none was published.', example: 1 }) version!: number;
  @Text({ description: 'The language served; `und` of version 0.', example: 'en', ...LOCALE }) locale!: string;
  @ListOf(() => 'string', {
    description: 'Languages it can be had in.',
    example: ['de', 'en'],
    maxItems: 100,
    of: LOCALE,
  })
  availableLocales!: readonly string[];
  @Text({
    description: 'SHA-256 of the whole list of this version in this language, its vendors included.',
    example: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    maxLength: 71,
  })
  contentHash!: string;
  @ListOf(() => CookieDto, { description: 'In the order of the list.', maxItems: 200 }) data!: readonly CookieDto[];
  @Text({ description: 'Where to go on; null on the last page.', example: null, maxLength: 200, nullable: true })
  nextCursor!: string | null;
  @Flag({ description: 'Whether there are more.', example: false }) hasMore!: boolean;
}
