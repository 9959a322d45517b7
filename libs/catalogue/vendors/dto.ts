import { COUNTRY } from '../../http/country.js';
import { ListOf, Nested, OneOf, Text, Timestamp, Whole } from '../../http/contract/fields.js';
import { PURPOSE_KEY, TEMPLATE_KEY, WEB_ADDRESS } from '../patterns.js';
import { TemplateChangeNoteDto } from '../template/template-dto.js';
import { RESTRICTION_TYPES, type VendorRestriction } from './definition.js';

const TCF = { description: 'Id in the Global Vendor List of IAB TCF.', example: 755, min: 1, max: 65_535 } as const;
const GOOGLE = {
  description: 'Id in the list of ad technology providers of Google, which additional consent strings name.',
  example: 89,
  min: 1,
  max: 1_000_000,
} as const;

export class VendorFrameworksFileDto {
  @Whole({ ...TCF, optional: true }) tcf?: number;
  @Whole({ ...GOOGLE, optional: true }) google?: number;
}

export class VendorRestrictionDto implements VendorRestriction {
  @Whole({ description: 'Id of a purpose of IAB TCF.', example: 2, min: 1, max: 11 }) purpose!: number;
  @OneOf(RESTRICTION_TYPES, {
    description:
      'NOT_ALLOWED: the vendor may not do it. The others: only on this legal basis, which holds of vendors that declare the purpose as flexible.',
    example: 'REQUIRE_CONSENT',
  })
  type!: VendorRestriction['type'];
}

export class VendorFileDto {
  @Text({ description: 'Key, by which other files name it.', example: 'demo_statistics', ...TEMPLATE_KEY })
  key!: string;
  @Text({ description: 'Name.', example: 'Demo Statistics Ltd', maxLength: 200 }) name!: string;
  @Text({ description: 'Where it is, ISO 3166-1 alpha-2.', example: 'IE', ...COUNTRY, optional: true })
  country?: string;
  @Text({
    description: 'Address of its privacy policy.',
    example: 'https://statistics.example/privacy',
    ...WEB_ADDRESS,
    optional: true,
  })
  privacyPolicy?: string;
  @ListOf(() => 'string', {
    description: 'Keys of the purposes that it serves.',
    example: ['analytics'],
    maxItems: 100,
    of: PURPOSE_KEY,
    optional: true,
    default: [],
  })
  purposeKeys?: string[];
  @Nested(() => VendorFrameworksFileDto, { description: 'Its ids in other frameworks.', optional: true })
  frameworks?: VendorFrameworksFileDto;
  @ListOf(() => VendorRestrictionDto, {
    description: 'What it may do less than it declares in the Global Vendor List of IAB TCF.',
    maxItems: 11,
    optional: true,
  })
  restrictions?: VendorRestrictionDto[];
}

/** `vendors.yaml`. */
export class VendorsFileDto {
  @ListOf(() => VendorFileDto, { description: 'Whom cookies and strings of frameworks name.', maxItems: 2000 })
  vendors!: VendorFileDto[];
  @Nested(() => TemplateChangeNoteDto, { description: 'About the version this file would become.', optional: true })
  change?: TemplateChangeNoteDto;
  @Timestamp({ description: 'From when the new version is in force. Default: at once.', optional: true })
  effectiveFrom?: string;
}

export class VendorFrameworksDto {
  @Whole({ ...TCF, nullable: true }) tcf!: number | null;
  @Whole({ ...GOOGLE, nullable: true }) google!: number | null;
}

/** A vendor as pages get it. */
export class CatalogueVendorDto {
  @Text({ description: 'Key.', example: 'demo_statistics', ...TEMPLATE_KEY }) key!: string;
  @Text({ description: 'Name.', example: 'Demo Statistics Ltd', maxLength: 200 }) name!: string;
  @Text({ description: 'Where it is, ISO 3166-1 alpha-2.', example: 'IE', maxLength: 2, nullable: true })
  country!: string | null;
  @Text({
    description: 'Address of its privacy policy.',
    example: 'https://statistics.example/privacy',
    maxLength: 2000,
    nullable: true,
  })
  privacyPolicy!: string | null;
  @Nested(() => VendorFrameworksDto, { description: 'Its ids in other frameworks.' }) frameworks!: VendorFrameworksDto;
}
