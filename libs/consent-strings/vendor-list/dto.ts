import { Flag, FreeObject, Text, Timestamp, Whole } from '../../http/contract/fields.js';

export class VendorListQuery {
  @Whole({
    description: 'A version that is or was in use here, as TC strings name it. Default: the one in use.',
    example: 1,
    min: 1,
    max: 4095,
    optional: true,
  })
  version?: number;
  @Text({
    description: 'Wanted language of its texts, BCP 47; looked up by RFC 4647. Default: Accept-Language, then English.',
    example: 'de-AT',
    maxLength: 35,
    pattern: '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}$',
    patternHint: 'a language tag',
    optional: true,
  })
  locale?: string;
}

const BY_ID = { maxBytes: 1_000_000, depth: 8 } as const;
const TEXT = {
  id: 1,
  name: 'Keep or read something on a device',
  description: 'Cookies and the like.',
  illustrations: [],
};

/** A list in the form of IAB Europe, specification version 3. Further members of a list are answered too. */
export class VendorListDto {
  @Flag({
    description: 'Only in the list of this service itself, which is in use where no other is: no vendor in it exists.',
    example: true,
    optional: true,
  })
  synthetic?: boolean;
  @Whole({ description: 'Version of the form.', min: 3, max: 3, example: 3 }) gvlSpecificationVersion!: number;
  @Whole({ description: 'Version of the list.', min: 1, max: 4095, example: 1 }) vendorListVersion!: number;
  @Whole({ description: 'Version of the policies of IAB TCF.', min: 1, max: 63, example: 5 }) tcfPolicyVersion!: number;
  @Timestamp({ description: 'When the list was made.', example: '2026-11-19T16:00:00Z' }) lastUpdated!: string;
  @FreeObject({ description: 'Purposes, by id.', ...BY_ID, maxKeys: 24, example: { 1: TEXT } })
  purposes!: Record<string, object>;
  @FreeObject({ description: 'Special purposes, by id.', ...BY_ID, maxKeys: 64, example: { 1: TEXT } })
  specialPurposes!: Record<string, object>;
  @FreeObject({ description: 'Features, by id.', ...BY_ID, maxKeys: 64, example: { 1: TEXT } })
  features!: Record<string, object>;
  @FreeObject({ description: 'Special features, by id.', ...BY_ID, maxKeys: 12, example: { 1: TEXT } })
  specialFeatures!: Record<string, object>;
  @FreeObject({ description: 'Stacks, by id.', ...BY_ID, maxKeys: 200, example: {} })
  stacks!: Record<string, object>;
  @FreeObject({ description: 'Categories of data, by id.', ...BY_ID, maxKeys: 200, example: {} })
  dataCategories!: Record<string, object>;
  @FreeObject({
    description: 'Texts that a layer shows as they are, such as `features` above the features; in lists of TCF 2.4.',
    ...BY_ID,
    maxKeys: 20,
    example: { features: 'Partners may process data in these ways.' },
    optional: true,
  })
  standardTexts?: Record<string, string>;
  @FreeObject({
    description: 'Vendors, by id: what each declares.',
    ...BY_ID,
    maxKeys: 20_000,
    maxBytes: 8_388_608,
    example: {
      8: {
        id: 8,
        name: 'Consent Only (synthetic)',
        purposes: [1, 3, 4],
        legIntPurposes: [],
        flexiblePurposes: [],
        specialPurposes: [],
        features: [1],
        specialFeatures: [1],
      },
    },
  })
  vendors!: Record<string, object>;
}
