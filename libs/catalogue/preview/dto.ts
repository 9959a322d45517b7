import { COUNTRY } from '../../http/country.js';
import { ListOf, Nested, OneOf, Text } from '../../http/contract/fields.js';
import { POLICY_MODELS, type PolicyView } from '../../policy/index.js';
import { BannerDto } from '../banner/dto.js';
import { DraftFilesDto } from '../editing/dto.js';
import type { DraftFiles } from '../editing/draft-files.js';
import { LOCALE } from '../patterns.js';
import { FINDING_RULES, SEVERITIES } from './findings.js';

export class PreviewBannerDto {
  @Nested(() => DraftFilesDto, {
    description:
      'Files that are not published, finished or not. Default: the draft, and without one what is published.',
    optional: true,
  })
  files?: DraftFiles;
  @Text({ description: 'Country of the visitor, ISO 3166-1.', example: 'DE', ...COUNTRY }) country!: string;
  @Text({ description: 'Region of the visitor, ISO 3166-2.', example: 'US-CA', maxLength: 6, optional: true })
  region?: string;
  @Text({ description: 'Wanted language; default: that of the banner.', example: 'en', ...LOCALE, optional: true })
  locale?: string;
  @OneOf(POLICY_MODELS, {
    description: 'Show the place as if its law had this model.',
    example: 'OPT_OUT',
    optional: true,
  })
  model?: PolicyView['model'];
}

export class BannerFindingDto {
  @OneOf(Object.keys(FINDING_RULES), { description: 'The rule.', example: 'RETENTION' }) rule!: string;
  @Text({ description: 'Who says so.', example: 'GDPR art. 13(2)(a)', maxLength: 300 }) source!: string;
  @OneOf(SEVERITIES, {
    description:
      'ERROR: it cannot be published so, or breaks the rule. WARNING: it breaks the rule as most read it. ADVICE: better so.',
    example: 'WARNING',
  })
  severity!: string;
  @Text({
    description: 'Where in the files; a purpose by its key, or, where its file is malformed, by its number.',
    example: 'purposes[analytics].retention',
    maxLength: 1000,
    minLength: 0,
  })
  path!: string;
  @Text({ description: 'What is wrong there.', example: 'is missing', maxLength: 2000 }) message!: string;
}

export class BannerPreviewDto {
  @OneOf(['banner_preview'], { description: 'What this is.', example: 'banner_preview' }) object!: string;
  @OneOf(['FILES', 'DRAFT', 'PUBLISHED'], { description: 'What was looked at.', example: 'DRAFT' }) of!: string;
  @Nested(() => BannerDto, {
    description: 'What GET /v1/banner would answer. Its presentationToken is null: nothing was shown to a visitor.',
  })
  banner!: BannerDto;
  @ListOf(() => BannerFindingDto, { description: 'What is wrong or could be better, the worst first.', maxItems: 500 })
  findings!: BannerFindingDto[];
}
