import { COUNTRY } from '../../http/country.js';
import { ListOf, Nested, OneOf, Text, Timestamp, Whole } from '../../http/contract/fields.js';
import { LOCALE, PURPOSE_KEY } from '../patterns.js';
import { BANNER_PRESENTATIONS } from './content.js';
import { BannerButtonDto } from './file-dto.js';
import type { Presentation, ShownBanner, ShownPolicy, ShownPurpose } from './presentation.js';

const HASH = {
  example: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  maxLength: 71,
} as const;

export class ShownBannerDto implements ShownBanner {
  @Whole({ description: 'Version of the banner.', example: 1, min: 1 }) version!: number;
  @Text({ description: 'Its language.', example: 'en', ...LOCALE }) locale!: string;
  @OneOf(BANNER_PRESENTATIONS, { description: 'What the policy asked for.', example: 'OPT_IN' })
  presentation!: Presentation['banner']['presentation'];
  @Text({ description: 'Of its texts, buttons, links and looks: GET /v1/notices/{hash}.', ...HASH })
  contentHash!: string;
}

export class ShownPolicyDto implements ShownPolicy {
  @Text({ description: 'The rule of law, as GET /v1/policy names it.', example: 'DE.2018-05-25', maxLength: 40 })
  id!: string;
  @Text({ description: 'Country that it was looked up for.', example: 'DE', ...COUNTRY, nullable: true })
  country!: string | null;
  @Text({ description: 'Region whose rule it is.', example: null, maxLength: 6, nullable: true }) region!:
    string | null;
  @OneOf(['REGION', 'COUNTRY', 'FALLBACK'], { description: 'By what it was found.', example: 'COUNTRY' })
  matchedBy!: Presentation['policy']['matchedBy'];
  @Text({ description: 'Of what was demanded, what the site changed included.', ...HASH }) fingerprint!: string;
  @Text({ description: 'When its sources were read.', example: '2026-11-21', maxLength: 10, format: 'date' })
  asOf!: string;
}

export class ShownPurposeDto implements ShownPurpose {
  @Text({ description: 'Key of the purpose.', example: 'analytics', ...PURPOSE_KEY }) key!: string;
  @Whole({ description: 'Version that was shown.', example: 1, min: 1 }) version!: number;
  @Text({ description: 'Language of its texts.', example: 'en', ...LOCALE }) locale!: string;
  @Text({ description: 'Of its texts and terms: GET /v1/notices/{hash}.', ...HASH }) contentHash!: string;
  @OneOf(['GRANTED', 'DENIED'], { description: 'What held until the visitor chose.', example: 'DENIED' })
  default!: ShownPurpose['default'];
}

/** What a page showed, as a presentation token stated it. */
export class PresentationDto implements Presentation {
  @Timestamp({ description: 'At this moment exactly this was shown; it was seen up to 20 minutes later.' })
  shownAt!: string;
  @Nested(() => ShownBannerDto, { description: 'The banner.' }) banner!: ShownBannerDto;
  @ListOf(() => BannerButtonDto, { description: 'Its buttons, in their order.', maxItems: 12 })
  buttons!: readonly BannerButtonDto[];
  @Nested(() => ShownPolicyDto, { description: 'The rule of the place that decided it.' }) policy!: ShownPolicyDto;
  @ListOf(() => ShownPurposeDto, { description: 'All purposes that were asked for, in their order.', maxItems: 1000 })
  purposes!: readonly ShownPurposeDto[];
}
