import { CatalogueDiffDto, CatalogueFolderDto } from '../../catalogue/dto.js';
import { COUNTRY } from '../../http/country.js';
import { Flag, ListOf, Numeric, Text, Timestamp, Whole } from '../../http/contract/fields.js';
import { CURSOR_MAX_LENGTH } from '../../http/list.js';

/** Rows that one answer looks at, so that it comes in a bounded time. The caller sees how far it has come. */
export const SIMULATED_ROWS_MAX = 10_000;

const AT = {
  description:
    'The moment that the answer is about. Default: now, or the latest `effectiveFrom` of what would be published, so that all of it is in force.',
  optional: true,
} as const;
const LIMIT = {
  description: 'How many rows of subjects one answer looks at, at most.',
  min: 1,
  max: SIMULATED_ROWS_MAX,
  default: SIMULATED_ROWS_MAX,
  example: 1000,
  optional: true,
} as const;
const CURSOR = {
  description: '`nextCursor` of the answer before, with the same files: goes on with the subjects after it.',
  example: 'WzEsIjIwMjYiXQ',
  maxLength: CURSOR_MAX_LENGTH,
  pattern: '^[A-Za-z0-9_-]+$',
  patternHint: 'a cursor as it was answered',
  optional: true,
} as const;

export class SimulateCatalogueDto extends CatalogueFolderDto {
  @Timestamp(AT) at?: string;
  @Whole(LIMIT) limit?: number;
  @Text(CURSOR) cursor?: string;
}

/** The files are those of the draft. */
export class SimulateDraftDto {
  @Timestamp(AT) at?: string;
  @Whole(LIMIT) limit?: number;
  @Text(CURSOR) cursor?: string;
}

export class ImpactDto {
  @Text({ description: 'Key of the purpose.', example: 'analytics', maxLength: 64 }) purpose!: string;
  @Text({
    description: 'Where these subjects were last known to be, ISO 3166-1; null: not known.',
    example: 'DE',
    ...COUNTRY,
    nullable: true,
  })
  country!: string | null;
  @Whole({ description: 'Subjects who would have to be asked again and need not be now.', example: 120, min: 0 })
  askAgain!: number;
  @Whole({ description: 'Subjects of whom it is ALLOWED now and would be BLOCKED.', example: 120, min: 0 })
  becomeBlocked!: number;
  @Whole({
    description: 'Subjects of whom it is BLOCKED now, or not in force yet, and would be ALLOWED.',
    example: 0,
    min: 0,
  })
  becomeAllowed!: number;
}

/** One part of the subjects; the caller adds the parts up. */
export class SimulationDto {
  @Timestamp({ description: 'The moment that the answer is about.' }) at!: string;
  @ListOf(() => CatalogueDiffDto, { description: 'What would be published, as applying says it.', maxItems: 510 })
  changes!: CatalogueDiffDto[];
  @Whole({ description: 'Subjects that this answer counts.', example: 5000, min: 0 }) subjects!: number;
  @Numeric({ description: 'How far it has come, by the age of the subjects: from 0 to 1.', min: 0, max: 1, example: 1 })
  share!: number;
  @ListOf(() => ImpactDto, {
    description: 'By purpose and country, only where there is a difference, and only of the subjects of this answer.',
    maxItems: 200_000,
  })
  impacts!: ImpactDto[];
  @Text({
    description: 'Where to go on; null at the end.',
    example: null,
    maxLength: CURSOR_MAX_LENGTH,
    nullable: true,
  })
  nextCursor!: string | null;
  @Flag({ description: 'Whether there are more subjects.', example: false }) hasMore!: boolean;
}
