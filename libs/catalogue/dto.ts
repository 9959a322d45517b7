import { PURPOSE_CATEGORIES, type PurposeCategory } from '../kernel/index.js';
import { COUNTRY } from '../http/country.js';
import { Flag, ListOf, MapOf, Nested, OneOf, Text, Timestamp, Whole } from '../http/contract/fields.js';
import {
  CHANGE_KINDS,
  CONSENT_MODELS,
  GOOGLE_CONSENT_TYPES,
  LEGAL_BASES,
  RECIPIENT_ROLES,
  US_CATEGORIES,
  type PostalAddress,
} from './purpose-definition.js';
import { ListQuery } from '../http/list.js';
import { LOCALE, PURPOSE_KEY } from './patterns.js';
import { APPROVALS, CATALOGUE_OWNERS, type Approval, type CatalogueOwner } from './editing/settings.js';
import { DOCUMENTS } from './documents.js';
import { DocumentFilesDto } from './files/document-files.js';

export { PresentationDto } from './banner/presentation-dto.js';

export class LocaleQuery {
  @Text({
    description: 'Wanted language, BCP 47; looked up by RFC 4647. Default: Accept-Language, then its own.',
    example: 'de-AT',
    ...LOCALE,
    optional: true,
  })
  locale?: string;
}

export class PurposeListQuery extends ListQuery {
  @Text({
    description: 'Wanted language, BCP 47; looked up by RFC 4647. Default: Accept-Language, then its own.',
    example: 'de-AT',
    ...LOCALE,
    optional: true,
  })
  locale?: string;
}

export class DataCategoryDto {
  @Text({ description: 'Category of personal data.', example: 'usage', maxLength: 64 }) key!: string;
  @Flag({ description: 'Special category (GDPR art. 9).', example: false }) sensitive!: boolean;
}

export class RecipientDto {
  @Text({ description: 'Who receives the data.', example: 'Example Analytics Ltd', maxLength: 200 }) name!: string;
  @OneOf(RECIPIENT_ROLES, { description: 'In which role.', example: 'PROCESSOR' })
  role!: (typeof RECIPIENT_ROLES)[number];
  @Text({ description: 'Country, ISO 3166-1.', example: 'IE', ...COUNTRY, optional: true })
  country?: string;
}

/** With the names of schema.org's PostalAddress, as consent receipts have them. */
export class PostalAddressDto implements PostalAddress {
  @Text({ description: 'Street and number.', example: 'Beispielweg 1', maxLength: 200 }) streetAddress!: string;
  @Text({ description: 'Postal code.', example: '10115', maxLength: 20, optional: true }) postalCode?: string;
  @Text({ description: 'Town.', example: 'Berlin', maxLength: 100, optional: true }) addressLocality?: string;
  @Text({ description: 'State or province.', example: 'Berlin', maxLength: 100, optional: true })
  addressRegion?: string;
  @Text({ description: 'Country, ISO 3166-1 alpha-2.', example: 'DE', ...COUNTRY }) addressCountry!: string;
}

export class ControllerDto {
  @Text({ description: 'Name of the controller.', example: 'Shop Example GmbH', maxLength: 200 }) name!: string;
  @Text({ description: 'How to reach it.', example: 'privacy@shop.example', maxLength: 300 }) contact!: string;
  @Text({
    description: 'How to reach its data protection officer.',
    example: 'dpo@shop.example',
    maxLength: 300,
    optional: true,
  })
  dpoContact?: string;
  @Text({
    description: 'E-mail address. Default in receipts: the contact, where it is one.',
    example: 'privacy@shop.example',
    maxLength: 254,
    format: 'email',
    optional: true,
  })
  email?: string;
  @Text({ description: 'Telephone number.', example: '+49 30 901820', maxLength: 40, optional: true }) phone?: string;
  @Nested(() => PostalAddressDto, { description: 'Postal address.', optional: true }) address?: PostalAddressDto;
}

export class TcfDto {
  @ListOf(() => 'integer', { description: 'TCF purpose ids.', example: [7, 8], maxItems: 24 }) purposes!: number[];
  @ListOf(() => 'integer', { description: 'TCF special feature ids.', example: [], maxItems: 12 })
  specialFeatures!: number[];
}

export class FrameworksDto {
  @Nested(() => TcfDto, { description: 'IAB TCF.' }) tcf!: TcfDto;
  @ListOf(() => 'string', {
    description: 'Google consent types.',
    example: ['analytics_storage'],
    maxItems: 7,
    of: { values: GOOGLE_CONSENT_TYPES },
  })
  google!: (typeof GOOGLE_CONSENT_TYPES)[number][];
  @ListOf(() => 'string', {
    description: 'What it does with data in the terms of US state laws, for strings of IAB GPP.',
    example: ['SALE'],
    maxItems: 20,
    of: { values: US_CATEGORIES },
  })
  us!: string[];
}

export class PurposeChangeDto {
  @Whole({ description: 'The version before; null for the first.', example: 1, nullable: true }) from!: number | null;
  @OneOf(CHANGE_KINDS, { description: 'MATERIAL: earlier grants want renewal.', example: 'MATERIAL' }) kind!: string;
  @Text({ description: 'What changed.', example: 'First version.', maxLength: 500 }) summary!: string;
}

export class PurposeDto {
  @Text({ description: 'Key of the purpose.', example: 'analytics', ...PURPOSE_KEY }) key!: string;
  @OneOf(['purpose'], { description: 'What this is.', example: 'purpose' }) object!: string;
  @Whole({ description: 'Version, from 1.', example: 1, min: 1 }) version!: number;
  @OneOf(['DRAFT', 'PUBLISHED', 'RETIRED'], {
    description: 'DRAFT: published, but in force only later. RETIRED: takes no new grants.',
    example: 'PUBLISHED',
  })
  status!: string;
  @OneOf(LEGAL_BASES, { description: 'GDPR art. 6(1).', example: 'CONSENT' }) legalBasis!: string;
  @OneOf(CONSENT_MODELS, { description: 'What silence means.', example: 'OPT_IN' }) consentModel!: string;
  @OneOf(PURPOSE_CATEGORIES, { description: 'Category.', example: 'ANALYTICS' }) category!: string;
  @Text({ description: 'Name, in the language served.', example: 'Statistics', maxLength: 200 }) name!: string;
  @Text({
    description: 'Description, in the language served.',
    example: 'Counts visits so that we can improve the shop.',
    maxLength: 4000,
  })
  description!: string;
  @Text({
    description: 'Legal text, in the language served.',
    example: 'We process usage data on the basis of your consent.',
    maxLength: 20_000,
    minLength: 0,
  })
  legalText!: string;
  @ListOf(() => DataCategoryDto, { description: 'Personal data that is processed.', maxItems: 100 })
  dataCategories!: DataCategoryDto[];
  @ListOf(() => RecipientDto, { description: 'Who receives it.', maxItems: 200 }) recipients!: RecipientDto[];
  @Text({ description: 'How long it is kept, ISO 8601 duration.', example: 'P14M', maxLength: 30, nullable: true })
  retention!: string | null;
  @Nested(() => ControllerDto, { description: 'The controller.' }) controller!: ControllerDto;
  @Whole({ description: 'Longest life of a grant, in days.', example: 365, min: 1, nullable: true }) validityDays!:
    number | null;
  @Nested(() => PurposeChangeDto, { description: 'What this version changed.' }) change!: PurposeChangeDto;
  @Nested(() => FrameworksDto, { description: 'Counterparts in other frameworks.' }) frameworks!: FrameworksDto;
  @Flag({ description: 'Whether Global Privacy Control reaches this purpose.', example: false }) gpc!: boolean;
  @ListOf(() => 'string', {
    description: 'Cookies that are set for it.',
    example: ['_stat'],
    maxItems: 500,
    of: { maxLength: 200 },
  })
  cookies!: string[];
  @Text({ description: 'The language served.', example: 'en', ...LOCALE }) locale!: string;
  @ListOf(() => 'string', {
    description: 'Languages it can be had in.',
    example: ['de', 'en'],
    maxItems: 100,
    of: LOCALE,
  })
  availableLocales!: string[];
  @Text({
    description:
      'SHA-256 of exactly this version in exactly this language; records name it as proof of what was shown.',
    example: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    maxLength: 71,
  })
  contentHash!: string;
  @Timestamp({ description: 'From when it is in force.' }) effectiveFrom!: string;
  @Timestamp({ description: 'When it was published.' }) publishedAt!: string;
}

export class PurposeListDto {
  @ListOf(() => PurposeDto, { description: 'By key; versions of one purpose by number.', maxItems: 200 })
  data!: PurposeDto[];
  @Text({ description: 'Where to go on; null on the last page.', example: null, maxLength: 200, nullable: true })
  nextCursor!: string | null;
  @Flag({ description: 'Whether there are more.', example: false }) hasMore!: boolean;
}

export class PurposeTextDto {
  @Text({ description: 'Name.', example: 'Statistics', maxLength: 200 }) name!: string;
  @Text({ description: 'Description.', example: 'Counts visits so that we can improve the shop.', maxLength: 4000 })
  description!: string;
  @Text({
    description: 'Legal text.',
    example: 'We process usage data on the basis of your consent.',
    maxLength: 20_000,
    minLength: 0,
    optional: true,
    default: '',
  })
  legalText?: string;
}

export class ChangeNoteDto {
  @OneOf(CHANGE_KINDS, {
    description: 'MATERIAL (ask again) or EDITORIAL.',
    example: 'EDITORIAL',
    default: 'MATERIAL',
    optional: true,
  })
  kind?: (typeof CHANGE_KINDS)[number];
  @Text({ description: 'What changes.', example: 'Clearer wording.', maxLength: 500, optional: true }) summary?: string;
}

const OWNER = {
  description:
    'Where the catalogue is written. FILES: in files that are applied. CONSOLE: in drafts that are published. Default FILES.',
  example: 'CONSOLE',
} as const;
const APPROVAL = {
  description:
    'Of drafts. FOUR_EYES: another operator than the last one who edited a draft has to publish it. Default NONE.',
  example: 'FOUR_EYES',
} as const;

/** One purpose file. */
export class PurposeFileDto {
  @Text({ description: 'Key of the purpose; never changes.', example: 'analytics', ...PURPOSE_KEY }) key!: string;
  @OneOf(['PUBLISHED', 'RETIRED'], {
    description: 'RETIRED ends it: withdrawals stay possible for ever.',
    example: 'PUBLISHED',
    default: 'PUBLISHED',
    optional: true,
  })
  status?: 'PUBLISHED' | 'RETIRED';
  @OneOf(LEGAL_BASES, { description: 'GDPR art. 6(1).', example: 'CONSENT' }) legalBasis!: (typeof LEGAL_BASES)[number];
  @OneOf(CONSENT_MODELS, { description: 'What silence means.', example: 'OPT_IN' })
  consentModel!: (typeof CONSENT_MODELS)[number];
  @OneOf(PURPOSE_CATEGORIES, { description: 'Category.', example: 'ANALYTICS' }) category!: PurposeCategory;
  @Nested(() => ControllerDto, { description: 'The controller.' }) controller!: ControllerDto;
  @Text({ description: 'Language that is served where no wish can be met.', example: 'en', ...LOCALE })
  defaultLocale!: string;
  @MapOf(() => PurposeTextDto, { description: 'Texts by language.', maxKeys: 100, keys: LOCALE }) translations!: Record<
    string,
    PurposeTextDto
  >;
  @ListOf(() => DataCategoryDto, {
    description: 'Personal data that is processed.',
    maxItems: 100,
    optional: true,
    default: [],
  })
  dataCategories?: DataCategoryDto[];
  @ListOf(() => RecipientDto, { description: 'Who receives it.', maxItems: 200, optional: true, default: [] })
  recipients?: RecipientDto[];
  @Text({
    description: 'How long it is kept, ISO 8601 duration.',
    example: 'P14M',
    maxLength: 30,
    pattern: '^P(\\d+Y)?(\\d+M)?(\\d+W)?(\\d+D)?$',
    patternHint: 'an ISO 8601 duration in years, months, weeks and days',
    optional: true,
  })
  retention?: string;
  @Whole({ description: 'Longest life of a grant, in days.', example: 365, min: 1, max: 3650, optional: true })
  validityDays?: number;
  @Nested(() => FrameworksDto, { description: 'Counterparts in other frameworks.', optional: true })
  frameworks?: FrameworksDto;
  @Flag({
    description: 'Whether Global Privacy Control reaches this purpose.',
    example: false,
    default: false,
    optional: true,
  })
  gpc?: boolean;
  @ListOf(() => 'string', {
    description: 'Cookies that are set for it.',
    example: ['_stat'],
    maxItems: 500,
    of: { maxLength: 200 },
    optional: true,
    default: [],
  })
  cookies?: string[];
  @Nested(() => ChangeNoteDto, { description: 'About the version this file would become.', optional: true })
  change?: ChangeNoteDto;
  @Timestamp({ description: 'From when the new version is in force. Default: at once.', optional: true })
  effectiveFrom?: string;
}

export class CatalogueFolderDto extends DocumentFilesDto {
  @ListOf(() => PurposeFileDto, { description: 'The purpose files of the folder.', maxItems: 500 })
  purposes!: PurposeFileDto[];
}

export class ApplyCatalogueDto extends CatalogueFolderDto {
  @Flag({ description: 'Only say what would change.', example: false, default: false, optional: true })
  dryRun?: boolean;
  @Flag({
    description: 'Make FILES the owner of a catalogue that is edited in the console.',
    example: false,
    default: false,
    optional: true,
  })
  takeOver?: boolean;
}

/** What is left out stays as it is. */
export class ChangeCatalogueSettingsDto {
  @OneOf(CATALOGUE_OWNERS, { ...OWNER, optional: true }) owner?: CatalogueOwner;
  @OneOf(APPROVALS, { ...APPROVAL, optional: true }) approval?: Approval;
}

export class CatalogueSettingsDto {
  @OneOf(['catalogue_settings'], { description: 'What this is.', example: 'catalogue_settings' }) object!: string;
  @OneOf(CATALOGUE_OWNERS, OWNER) owner!: CatalogueOwner;
  @OneOf(APPROVALS, APPROVAL) approval!: Approval;
}

/** The newest version of each document. A document that was never published is absent. */
export class CatalogueFilesDto extends DocumentFilesDto {
  @ListOf(() => PurposeFileDto, { description: 'Every purpose, by key: the newest version of each.', maxItems: 10_000 })
  purposes!: PurposeFileDto[];
}

export class CatalogueDiffDto {
  @OneOf(['purpose', ...DOCUMENTS.map(({ object }) => object)], {
    description: 'What the file is.',
    example: 'purpose',
  })
  object!: string;
  @Text({ description: 'Key of the purpose; of a document what it is.', example: 'analytics', ...PURPOSE_KEY })
  key!: string;
  @OneOf(['PUBLISH', 'RETIRE', 'NONE'], { description: 'What was done, or would be.', example: 'PUBLISH' })
  action!: string;
  @Whole({ description: 'Version that is current afterwards.', example: 2 }) version!: number;
  @ListOf(() => 'string', {
    description:
      'What differs from the version before: members of the purpose; parts of the document, such as `fields.language` of the template.',
    example: ['translations'],
    maxItems: 1000,
  })
  changed!: string[];
}

export class CatalogueAppliedDto {
  @Flag({ description: 'Whether anything was published; false where nothing changed.', example: true })
  published!: boolean;
  @ListOf(() => CatalogueDiffDto, { description: 'One line for each file, the documents last.', maxItems: 510 })
  changes!: CatalogueDiffDto[];
}
