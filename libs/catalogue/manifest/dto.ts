import { COUNTRY, REGION } from '../../http/country.js';
import { Flag, ListOf, MapOf, Nested, OneOf, Text } from '../../http/contract/fields.js';
import { PolicyDto } from '../../policy/dto.js';
import { BannerContentDto, BannerGoogleDto, BannerGppDto, BannerTcfDto } from '../banner/dto.js';
import { LOCALE } from '../patterns.js';

const HASH_LENGTH = 71;
/** Countries and regions of the law, and those that a site names. */
const RULES_MAX = 5_000;
const LOCALES_MAX = 100;

export class TcfAtPlaceDto {
  @Flag({ description: 'Whether IAB TCF is used there.', example: true }) enabled!: boolean;
}

export class RuleOfPlaceDto {
  @Text({
    description: 'Country, ISO 3166-1 alpha-2; null: any place that no other rule is for.',
    example: 'DE',
    ...COUNTRY,
    nullable: true,
  })
  country!: string | null;
  @Text({
    description: 'Region, ISO 3166-2; null: the whole country, but for regions with a rule of their own.',
    example: null,
    ...REGION,
    nullable: true,
  })
  region!: string | null;
  @Nested(() => PolicyDto, { description: 'The policy, as GET /v1/policy answers it.' }) policy!: PolicyDto;
  @Nested(() => BannerGoogleDto, { description: 'Google consent mode.' }) google!: BannerGoogleDto;
  @Nested(() => TcfAtPlaceDto, { description: 'IAB TCF.' }) tcf!: TcfAtPlaceDto;
  @Nested(() => BannerGppDto, { description: 'IAB GPP.' }) gpp!: BannerGppDto;
  @MapOf(() => 'string', {
    description: 'What is shown there, by language: keys of `contents`.',
    example: { en: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' },
    maxKeys: LOCALES_MAX,
    keys: LOCALE,
    of: { maxLength: HASH_LENGTH },
  })
  contents!: Record<string, string>;
}

export class BannerManifestDto {
  @OneOf(['banner_manifest'], { description: 'What this is.', example: 'banner_manifest' }) object!: 'banner_manifest';
  @Text({
    description: 'Style sheet of the banner. The address changes with its content.',
    example: 'https://consent.example/elements/v1/banner-1a2b3c4d5e6f.css',
    maxLength: 2_000,
  })
  style!: string;
  @Text({
    description: 'The language of callers whose wish cannot be met; null where no banner was published.',
    example: 'en',
    ...LOCALE,
    nullable: true,
  })
  defaultLocale!: string | null;
  @ListOf(() => 'string', {
    description: 'Languages that the banner can be had in; `contents` may lack some of very large banners.',
    example: ['de', 'en'],
    maxItems: LOCALES_MAX,
    of: LOCALE,
  })
  availableLocales!: readonly string[];
  @ListOf(() => RuleOfPlaceDto, {
    description:
      'What holds where. The rule of the region counts, else that of its country, else the one without a country.',
    maxItems: RULES_MAX,
  })
  rules!: readonly RuleOfPlaceDto[];
  @MapOf(() => BannerContentDto, {
    description: 'Everything that is shown anywhere, by its hash: SHA-256 over the canonical form (RFC 8785).',
    maxKeys: RULES_MAX,
    keys: { maxLength: HASH_LENGTH },
  })
  contents!: Record<string, BannerContentDto>;
  @Nested(() => BannerTcfDto, { description: 'IAB TCF, as at a place whose rule says `tcf.enabled`.' })
  tcf!: BannerTcfDto;
}
