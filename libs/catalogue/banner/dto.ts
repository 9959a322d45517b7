import { PURPOSE_CATEGORIES } from '../../kernel/index.js';
import { COUNTRY, REGION } from '../../http/country.js';
import { Flag, ListOf, Nested, OneOf, Text, Timestamp, Whole } from '../../http/contract/fields.js';
import { PolicyDto } from '../../policy/dto.js';
import { LOCALE, PURPOSE_KEY } from '../patterns.js';
import { CONSENT_MODELS, GOOGLE_CONSENT_TYPES, LEGAL_BASES } from '../purpose-definition.js';
import { DISMISSALS, LAYOUTS, POSITIONS, REOPENINGS, type BannerDefinition } from './definition.js';
import { BannerButtonDto, ColoursDto } from './file-dto.js';
import { PRESENTATION_TOKEN_LENGTH_MAX } from './presentation-token.js';
import type { BannerView } from './view.js';

const HASH = {
  example: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  maxLength: 71,
} as const;
const label = (what: string, example: string): PropertyDecorator =>
  Text({ description: `${what}; null where the site has no such text.`, example, maxLength: 80, nullable: true });

export class BannerQuery {
  @Text({
    description:
      'Country, ISO 3166-1 alpha-2. Default: the one that the proxy in front names, where it is set up to; else the strictest rule applies.',
    example: 'US',
    ...COUNTRY,
    optional: true,
  })
  country?: string;
  @Text({
    description: 'Region, ISO 3166-2; where none of its rules is known, that of the country applies.',
    example: 'US-CA',
    ...REGION,
    optional: true,
  })
  region?: string;
  @Text({
    description: 'Wanted language, BCP 47; looked up by RFC 4647. Default: Accept-Language, then its own.',
    example: 'de-AT',
    ...LOCALE,
    optional: true,
  })
  locale?: string;
  @Text({
    description:
      'Hash of what is on the screen already, as a key of `contents` in GET /v1/banner/manifest. Where something else would be shown now: 409 `presentation_changed`.',
    example: HASH.example,
    maxLength: HASH.maxLength,
    pattern: '^sha256:[0-9a-f]{64}$',
    patternHint: 'sha256: and 64 hex digits',
    optional: true,
  })
  contentHash?: string;
}

export class BannerTextsDto {
  @Text({ description: 'Title; null of version 0.', example: 'Your privacy', maxLength: 200, nullable: true })
  title!: string | null;
  @Text({ description: 'Text; null of version 0.', example: 'May we count visits?', maxLength: 4000, nullable: true })
  body!: string | null;
  @label('ACCEPT_ALL', 'Accept all') acceptAll!: string | null;
  @label('REJECT_ALL', 'Reject all') rejectAll!: string | null;
  @label('CUSTOMIZE', 'Choose') customize!: string | null;
  @label('SAVE', 'Save my choices') save!: string | null;
  @label('ACKNOWLEDGE', 'Understood') acknowledge!: string | null;
  @label('DO_NOT_SELL', 'Do not sell or share my data') doNotSell!: string | null;
  @label('Closing the banner', 'Close') close!: string | null;
  @label('Coming back to the choices', 'Privacy choices') privacyChoices!: string | null;
}

export class BannerPurposeDto {
  @Text({ description: 'Key of the purpose.', example: 'analytics', ...PURPOSE_KEY }) key!: string;
  @Whole({ description: 'Version that is shown.', example: 1, min: 1 }) version!: number;
  @Text({ description: 'Name.', example: 'Statistics', maxLength: 200 }) name!: string;
  @Text({ description: 'Description.', example: 'Counts visits.', maxLength: 4000 }) description!: string;
  @OneOf(PURPOSE_CATEGORIES, { description: 'Category.', example: 'ANALYTICS' }) category!: string;
  @OneOf(CONSENT_MODELS, { description: 'What silence means.', example: 'OPT_IN' }) consentModel!: string;
  @OneOf(LEGAL_BASES, { description: 'GDPR art. 6(1).', example: 'CONSENT' }) legalBasis!: string;
  @Flag({ description: 'Whether Global Privacy Control reaches it.', example: false }) gpc!: boolean;
  @Text({ description: 'The language of its texts.', example: 'en', ...LOCALE }) locale!: string;
  @Text({ description: 'SHA-256 of exactly this version in exactly this language.', ...HASH }) contentHash!: string;
  @OneOf(['GRANTED', 'DENIED'], { description: 'What holds here until the visitor chooses.', example: 'DENIED' })
  default!: string;
  @Flag({ description: 'Whether it is no choice at all.', example: false }) locked!: boolean;
}

export class BannerLinksDto {
  @Text({ description: 'Privacy policy.', example: 'https://shop.example/privacy', maxLength: 2000, nullable: true })
  privacyPolicy!: string | null;
  @Text({ description: 'Imprint.', example: null, maxLength: 2000, nullable: true }) imprint!: string | null;
}

export class BannerThemeDto {
  @Nested(() => ColoursDto, { description: 'Colours; a page takes its own for what is not said.' }) light!: ColoursDto;
  @Nested(() => ColoursDto, { description: 'Colours of the dark scheme.' }) dark!: ColoursDto;
  @Whole({ description: 'Radius of corners, in pixels.', example: 8, max: 64, nullable: true }) radiusPx!:
    number | null;
  @Text({ description: 'Fonts, as in CSS.', example: 'Inter, sans-serif', maxLength: 200, nullable: true })
  fontFamily!: string | null;
}

export class BannerBehaviourDto {
  @OneOf(DISMISSALS, { description: 'What closing without a choice counts as.', example: 'REJECT' }) dismiss!: string;
  @Flag({ description: 'Whether the page behind stands still.', example: false }) scrollLock!: boolean;
  @Whole({
    description:
      'After how many days a visitor is asked again: not sooner than the policy allows; null: at the next visit.',
    example: 180,
    min: 1,
    nullable: true,
  })
  resurfaceAfterDays!: number | null;
  @OneOf(REOPENINGS, { description: 'How a visitor returns to the choices.', example: 'LINK' }) reopen!: string;
}

const STANDING = { description: 'What Google’s tags may do before a choice.', example: 'denied' } as const;
type Standing = 'granted' | 'denied';

export class GoogleDefaultsDto {
  @OneOf(['granted', 'denied'], STANDING) ad_storage!: Standing;
  @OneOf(['granted', 'denied'], STANDING) analytics_storage!: Standing;
  @OneOf(['granted', 'denied'], STANDING) ad_user_data!: Standing;
  @OneOf(['granted', 'denied'], STANDING) ad_personalization!: Standing;
  @OneOf(['granted', 'denied'], STANDING) functionality_storage!: Standing;
  @OneOf(['granted', 'denied'], STANDING) personalization_storage!: Standing;
  @OneOf(['granted', 'denied'], STANDING) security_storage!: Standing;
}

export class BannerGoogleDto {
  @Nested(() => GoogleDefaultsDto, {
    description: `The ${GOOGLE_CONSENT_TYPES.length} types before a choice: granted where every purpose of a type is.`,
  })
  default!: GoogleDefaultsDto;
  @Whole({ description: 'How long tags wait for a choice, in milliseconds.', example: 500 }) waitForUpdateMs!: number;
}

export class BannerTcfDto {
  @Flag({ description: 'Whether IAB TCF is used here.', example: true }) enabled!: boolean;
  @Text({ description: 'Country whose law the publisher is under.', example: 'DE', maxLength: 2, nullable: true })
  publisherCountry!: string | null;
  @ListOf(() => 'integer', {
    description:
      'Ids in the Global Vendor List of the vendors that the banner discloses, in ascending order: TC strings name these as disclosed, as far as the list has them.',
    example: [755, 793],
    maxItems: 2000,
  })
  vendors!: readonly number[];
  @Whole({
    description:
      'Id of the consent tool that TC strings of this site name, as registered with IAB Europe; 4095 marks those of `test` as made for a test. Null in `live` where the site has named no tool: no TC string is made then.',
    example: 300,
    min: 2,
    max: 4095,
    nullable: true,
  })
  cmpId!: number | null;
  @Whole({
    description: 'Version of that tool. Null exactly where `cmpId` is.',
    example: 4,
    min: 1,
    max: 4095,
    nullable: true,
  })
  cmpVersion!: number | null;
  @Flag({
    description: 'Always true: TC strings hold for the services of this site alone, as TCF demands since version 2.2.',
    example: true,
  })
  isServiceSpecific!: true;
}

export class BannerMspaDto {
  @Flag({
    description:
      'Whether the site has signed the Multi-State Privacy Agreement of IAB and what it does is covered by it.',
    example: false,
  })
  covered!: boolean;
  @OneOf(['OPT_OUT', 'SERVICE_PROVIDER'], {
    description: 'In which of its two modes. Null exactly where it is not covered.',
    example: null,
    nullable: true,
  })
  mode!: 'OPT_OUT' | 'SERVICE_PROVIDER' | null;
}

export class BannerGppDto {
  @Flag({ description: 'Whether IAB GPP is used here.', example: true }) enabled!: boolean;
  @ListOf(() => 'integer', {
    description:
      'Ids of the sections that apply, ascending: the `applicableSections` of GPP strings made here. In the United States they follow from `approach`, so that they can differ from `policy.gppSections`, which is the law alone.',
    example: [2],
    maxItems: 10,
  })
  sections!: readonly number[];
  @OneOf(['STATE', 'NATIONAL'], {
    description:
      'STATE: strings hold the section of the state of the US. NATIONAL: the national section in every state.',
    example: 'STATE',
  })
  approach!: 'STATE' | 'NATIONAL';
  @Nested(() => BannerMspaDto, { description: 'The Multi-State Privacy Agreement of IAB.' }) mspa!: BannerMspaDto;
}

/** All that a person sees of a banner. */
export class BannerContentDto {
  @OneOf(['banner'], { description: 'What this is.', example: 'banner' }) object!: 'banner';
  @Whole({ description: 'Version, from 1; 0 where none was published: nothing is shown then.', example: 1 })
  version!: number;
  @Text({ description: 'The language served; `und` of version 0.', example: 'en', ...LOCALE }) locale!: string;
  @ListOf(() => 'string', {
    description: 'Languages it can be had in.',
    example: ['de', 'en'],
    maxItems: 100,
    of: LOCALE,
  })
  availableLocales!: readonly string[];
  @OneOf(['LTR', 'RTL'], { description: 'In which direction the language is written.', example: 'LTR' })
  direction!: BannerView['direction'];
  @OneOf(['OPT_IN', 'OPT_OUT', 'NOTICE_ONLY', 'NONE'], {
    description: 'What the policy asks for: to ask, to let object, to tell, or nothing.',
    example: 'OPT_IN',
  })
  presentation!: BannerView['presentation'];
  @OneOf(LAYOUTS, { description: 'Its form.', example: 'BOX' }) layout!: BannerDefinition['layout'];
  @OneOf(POSITIONS, { description: 'Where it stands.', example: 'BOTTOM' }) position!: BannerDefinition['position'];
  @Nested(() => BannerTextsDto, { description: 'Texts, in the language served.' }) texts!: BannerTextsDto;
  @ListOf(() => BannerButtonDto, {
    description:
      'Buttons, in their order. Of OPT_IN REJECT_ALL is among those of the first layer, as visible as ACCEPT_ALL.',
    maxItems: 12,
  })
  buttons!: readonly BannerButtonDto[];
  @ListOf(() => BannerPurposeDto, { description: 'What is asked for.', maxItems: 10_000 })
  purposes!: readonly BannerPurposeDto[];
  @Nested(() => BannerLinksDto, { description: 'Where more can be read.' }) links!: BannerLinksDto;
  @Nested(() => BannerThemeDto, { description: 'How it looks.' }) theme!: BannerThemeDto;
  @Nested(() => BannerBehaviourDto, { description: 'How it behaves.' }) behaviour!: BannerBehaviourDto;
  @Text({
    description:
      'SHA-256 of what the banner itself shows in this language: GET /v1/notices/{hash} answers it for ever. Purposes have hashes of their own.',
    ...HASH,
  })
  contentHash!: string;
  @Timestamp({ description: 'From when this version is in force.', nullable: true }) effectiveFrom!: string | null;
  @Timestamp({ description: 'When it was published.', nullable: true }) publishedAt!: string | null;
}

/** The banner for one place in one language. */
export class BannerDto extends BannerContentDto {
  @Nested(() => PolicyDto, { description: 'The policy of the place, as GET /v1/policy answers it.' })
  policy!: PolicyDto;
  @Nested(() => BannerGoogleDto, { description: 'Google consent mode.' }) google!: BannerGoogleDto;
  @Nested(() => BannerTcfDto, { description: 'IAB TCF.' }) tcf!: BannerTcfDto;
  @Nested(() => BannerGppDto, { description: 'IAB GPP.' }) gpp!: BannerGppDto;
  @Text({
    description:
      'Signed statement of what is shown here, good for a day. Send it back as `collection.presentationToken` with the choices that are made on it. Null where there is nothing to show, or more than can be stated (some 120 purposes).',
    example: 'eyJhbGciOiJFZERTQSJ9.e30.c2ln',
    maxLength: PRESENTATION_TOKEN_LENGTH_MAX,
    nullable: true,
  })
  presentationToken!: string | null;
}
