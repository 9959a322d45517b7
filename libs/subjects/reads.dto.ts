import { Flag, ListOf, Nested, Text, Timestamp, Whole } from '../http/contract/fields.js';
import { ListQuery } from '../http/list.js';

const READER = { example: 'key_4Zt8nXq2LmPa', maxLength: 200 } as const;

export class ReadsQuery extends ListQuery {
  @Text({
    description: 'Only what this one read: the id of a key, or `operator:<user>@<host>`.',
    ...READER,
    optional: true,
  })
  reader?: string;
  @Timestamp({ description: 'Read at or after; an hour in which that may be is shown whole.', optional: true })
  from?: string;
  @Timestamp({ description: 'Read before, likewise.', optional: true }) to?: string;
}

export class ReadSubjectDto {
  @Text({
    description:
      'Pseudonym of the subject, or of one that was merged into it; null: everybody of the site, in an export.',
    example: 'sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S',
    maxLength: 30,
    nullable: true,
  })
  id!: string | null;
}

export class SubjectReadDto {
  @Nested(() => ReadSubjectDto, { description: 'Of whom.' }) subject!: ReadSubjectDto;
  @Text({ description: 'Who read: the id of a secret key, or `operator:<user>@<host>` of a command.', ...READER })
  reader!: string;
  @Text({ description: 'What was read: the operation, or the command.', example: 'getConsentState', maxLength: 100 })
  operation!: string;
  @Timestamp({ description: 'The hour in which it was read.' }) hour!: string;
  @Whole({ description: 'How often in this hour.', example: 12, min: 1 }) reads!: number;
  @Timestamp({ description: 'The first time.' }) firstAt!: string;
  @Timestamp({ description: 'The last time.' }) lastAt!: string;
}

export class SubjectReadListDto {
  @ListOf(() => SubjectReadDto, { description: 'Newest hour first.', maxItems: 200 }) data!: SubjectReadDto[];
  @Text({ description: 'Cursor of the next page.', example: null, maxLength: 1000, nullable: true })
  nextCursor!: string | null;
  @Flag({ description: 'Whether there is a next page.', example: false }) hasMore!: boolean;
}
