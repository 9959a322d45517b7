import { Flag, FreeObject, ListOf, Text } from '../../http/contract/fields.js';
import type { UsValues } from './us-values.js';

export class GppStringDto {
  @Text({ description: 'The GPP string.', example: 'DBABBg~BVWqqoCA.YA', maxLength: 200_000 }) gppString!: string;
  @ListOf(() => 'integer', { description: 'Ids of the sections that are in it.', example: [8], maxItems: 20 })
  sectionIds!: number[];
  @ListOf(() => 'integer', {
    description:
      'Ids of the sections that apply at the place. One that applies and is not in the string is one that is not made here: IAB Canada’s, and in `live` that of IAB TCF where the site has named no consent tool.',
    example: [8],
    maxItems: 20,
  })
  applicableSections!: number[];
  @FreeObject({
    description:
      'The US sections by name, with the fields and values of their specifications: of a notice 1 is given and 2 is not; of an opt-out 1 is opted out and 2 is not; of a consent 1 is none and 2 is given; 0 does not apply.',
    example: { usca: { SaleOptOut: 1 } },
    maxKeys: 20,
    maxBytes: 20_000,
    depth: 4,
  })
  parsed!: Record<string, UsValues>;
  @Flag({ description: 'Whether Global Privacy Control is on, wherever it binds.', example: true }) gpc!: boolean;
}
