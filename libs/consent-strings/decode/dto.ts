import { COUNTRY, REGION } from '../../http/country.js';
import { Flag, ListOf, OneOf, Text, Whole } from '../../http/contract/fields.js';
import { STRING_LENGTH_MAX, type StringFramework } from './explain.js';
import type { StringLine } from './lines.js';

/** From the example of GET /v1/consent/tcstring. */
const TC_EXAMPLE = 'CQbQ0AAQbQ0AAEsAEBENB7FgAKAAAEAAAAYgAAAAAAAA.IAAA.YAAAAAAAAAA';

export class ExplainStringQuery {
  @Text({ description: 'The string, percent-encoded.', example: 'DBABBg~BVQUAACA.YA', maxLength: STRING_LENGTH_MAX })
  string!: string;
  @Text({
    description:
      'The subject with whose state of today it is compared: `<kind>:<value>`. Left out: it is not compared.',
    example: 'visitor_id:7f2c1e6ab0d94c3f8e5d2a1b4c6f8e90',
    maxLength: 600,
    optional: true,
  })
  subject?: string;
  @Text({
    description: 'Country whose rule applies to that state, ISO 3166-1. Default: as for the state.',
    example: 'US',
    ...COUNTRY,
    optional: true,
  })
  country?: string;
  @Text({ description: 'Region, ISO 3166-2.', example: 'US-CA', ...REGION, optional: true }) region?: string;
}

export class ExplainTcStringQuery extends ExplainStringQuery {
  @Text({ description: 'The string.', example: TC_EXAMPLE, maxLength: STRING_LENGTH_MAX }) override string!: string;
}

export class StringLineDto implements StringLine {
  @Text({
    description: 'Part of the string: `core`, `disclosedVendors`, `publisherTC`, or the section of a GPP string.',
    example: 'usca',
    maxLength: 40,
  })
  part!: string;
  @Text({ description: 'Field, as its specification calls it.', example: 'SaleOptOut', maxLength: 60 }) field!: string;
  @Text({ description: 'What stands there; of vendors their ids.', example: '1', maxLength: 20_000, minLength: 0 })
  value!: string;
  @Text({ description: 'What that means.', example: 'Opted out of the sale of personal data.', maxLength: 20_000 })
  text!: string;
  @OneOf(['CHOICE', 'CONTEXT'], {
    description:
      'CHOICE: what the person chose, or what was disclosed to them. CONTEXT: who made the string, when, and by which rules.',
    example: 'CHOICE',
  })
  kind!: StringLine['kind'];
}

export class StringDifferenceDto {
  @Text({ description: 'Part of the string.', example: 'usca', maxLength: 40 }) part!: string;
  @Text({ description: 'Field; null: the whole part.', example: 'SaleOptOut', maxLength: 60, nullable: true }) field!:
    string | null;
  @Text({
    description: 'What the string has; null where it says nothing of it.',
    example: '2',
    maxLength: 20_000,
    minLength: 0,
    nullable: true,
  })
  said!: string | null;
  @Text({
    description: 'What the string of today has; null where that says nothing of it.',
    example: '1',
    maxLength: 20_000,
    minLength: 0,
    nullable: true,
  })
  holds!: string | null;
  @Text({
    description: 'The difference in words.',
    example: 'Did not opt out of the sale of personal data. Today: Opted out of the sale of personal data.',
    maxLength: 40_000,
  })
  text!: string;
}

export class ExplainedStringDto {
  @OneOf(['explained_string'], { description: 'What this is.', example: 'explained_string' })
  object!: 'explained_string';
  @OneOf(['TCF', 'GPP'], { description: 'Of which framework it is.', example: 'GPP' }) framework!: StringFramework;
  @Whole({
    description: 'Version of the vendor list that it was made with; null where it holds no TC string.',
    example: null,
    nullable: true,
  })
  vendorListVersion!: number | null;
  @Flag({
    description: 'Whether that list was ever in use here, so that vendors have names.',
    example: null,
    nullable: true,
  })
  vendorListKnown!: boolean | null;
  @ListOf(() => StringLineDto, { description: 'What it says, field by field.', maxItems: 5000 })
  says!: StringLineDto[];
  @ListOf(() => 'string', {
    description: 'What in it breaks the rules of its framework.',
    example: [],
    maxItems: 1000,
    of: { maxLength: 300 },
  })
  warnings!: readonly string[];
  @Flag({
    description:
      'Whether it says of the choices what a string of today would say; null without `subject`. Who made it, when and with which list does not count.',
    example: false,
    nullable: true,
  })
  matches!: boolean | null;
  @ListOf(() => StringDifferenceDto, { description: 'Where it says another thing.', maxItems: 5000 })
  differences!: StringDifferenceDto[];
}
