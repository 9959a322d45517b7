import { PURPOSE_CATEGORIES } from '../../kernel/index.js';
import { COUNTRY, REGION } from '../../http/country.js';
import { Flag, ListOf, Nested, OneOf, Text, Timestamp, Whole } from '../../http/contract/fields.js';
import { DOUBLE_OPT_IN, GPC_STANDINGS, POLICY_MODELS, type RuleChanges } from '../../policy/index.js';
import { TemplateChangeNoteDto } from '../template/template-dto.js';

const DAYS = { min: 1, max: 3650, nullable: true, optional: true } as const;

export class OwnSignalsFileDto {
  @OneOf(GPC_STANDINGS, { description: 'Global Privacy Control.', example: 'BINDING' })
  gpc!: NonNullable<RuleChanges['signals']>['gpc'];
}

/** What holds for purposes of a category until a visitor chooses. NECESSARY is no choice. */
export class OwnDefaultsFileDto {}
for (const category of PURPOSE_CATEGORIES)
  if (category !== 'NECESSARY')
    OneOf(['GRANTED', 'DENIED'], {
      description: `Of ${category}, until a visitor chooses.`,
      example: 'DENIED',
      optional: true,
    })(OwnDefaultsFileDto.prototype, category);

export class PolicyChangesFileDto {
  @OneOf(POLICY_MODELS, { description: 'What silence means.', example: 'OPT_IN', optional: true })
  model?: NonNullable<RuleChanges['model']>;
  @Nested(() => OwnDefaultsFileDto, { description: 'Defaults of categories.', optional: true })
  categories?: OwnDefaultsFileDto & NonNullable<RuleChanges['categories']>;
  @Flag({ description: 'Whether people must be asked before anything happens.', example: true, optional: true })
  bannerRequired?: boolean;
  @Flag({ description: 'Whether refusing must be as easy as agreeing.', example: true, optional: true })
  rejectRequired?: boolean;
  @Whole({ description: 'Longest life of a grant, in days; null: no limit.', example: 180, ...DAYS })
  consentValidityDays?: number | null;
  @Whole({
    description: 'How long a visitor who refused is not asked again, in days; null: no limit.',
    example: 180,
    ...DAYS,
  })
  refusalCooldownDays?: number | null;
  @Nested(() => OwnSignalsFileDto, { description: 'Signals of browsers.', optional: true }) signals?: OwnSignalsFileDto;
  @OneOf(DOUBLE_OPT_IN, { description: 'Confirmation of addresses by e-mail.', example: 'REQUIRED', optional: true })
  doubleOptIn?: NonNullable<RuleChanges['doubleOptIn']>;
  @Whole({
    description: 'From which age people consent themselves; null: not known.',
    example: 16,
    min: 1,
    max: 21,
    nullable: true,
    optional: true,
  })
  ageOfDigitalConsent?: number | null;
}

export class PolicyOverrideFileDto {
  @Text({
    description: 'Country, ISO 3166-1 alpha-2. Holds in every region of it, also in those with a rule of their own.',
    example: 'DE',
    ...COUNTRY,
  })
  country!: string;
  @Text({
    description: 'Region, ISO 3166-2: holds there only, and is stronger than what is said of the country.',
    example: 'US-CA',
    ...REGION,
    optional: true,
  })
  region?: string;
  @Nested(() => PolicyChangesFileDto, { description: 'What is another way; the rest stays as the law says.' })
  changes!: PolicyChangesFileDto;
  @Text({ description: 'Who decided it.', example: 'Data protection officer', maxLength: 200 }) who!: string;
  @Text({ description: 'Why.', example: 'The supervisory authority advises half a year.', maxLength: 1000 })
  why!: string;
  @Timestamp({ description: 'Since when. Default: always.', optional: true }) effectiveFrom?: string;
}

/** `policies.yaml`. */
export class PoliciesFileDto {
  @ListOf(() => PolicyOverrideFileDto, { description: 'Where the site is another way than the law.', maxItems: 500 })
  policies!: PolicyOverrideFileDto[];
  @Nested(() => TemplateChangeNoteDto, { description: 'About the version this file would become.', optional: true })
  change?: TemplateChangeNoteDto;
  @Timestamp({ description: 'From when the new version is in force. Default: at once.', optional: true })
  effectiveFrom?: string;
}
