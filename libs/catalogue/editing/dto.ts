import { Any, FreeObject, Flag, ListOf, Nested, OneOf, Text, Timestamp, Whole } from '../../http/contract/fields.js';
import { ListQuery } from '../../http/list.js';
import { DOCUMENTS } from '../documents.js';
import { CatalogueDiffDto, CatalogueSettingsDto } from '../dto.js';
import { DOCUMENT_FILES } from '../files/document-files.js';
import { PURPOSE_FILE } from '../files/file-examples.js';
import { CATALOGUE_OWNERS } from './settings.js';
import type { DraftFiles } from './draft-files.js';

const FILES_BYTES_MAX = 2_000_000;
const FREE = { maxBytes: FILES_BYTES_MAX, depth: 10, maxKeys: 1_000 } as const;
const BASE = {
  description: 'Version of the catalogue that the draft was made from; 0: an empty catalogue.',
  example: 3,
  min: 0,
} as const;

class DeclaredDraftFiles {}
Any({ description: 'The purpose files, finished or not.', types: ['array'], example: [PURPOSE_FILE], ...FREE })(
  DeclaredDraftFiles.prototype,
  'purposes',
);
for (const { name } of DOCUMENTS)
  FreeObject({ description: `${DOCUMENT_FILES[name].about} Finished or not.`, ...FREE, optional: true })(
    DeclaredDraftFiles.prototype,
    name,
  );
/** The files of a folder as an editor has them: members of the files are checked where they are published. */
export const DraftFilesDto = DeclaredDraftFiles as new () => DraftFiles;

export class SaveDraftDto extends DraftFilesDto {
  @Whole({
    ...BASE,
    description:
      'The version of the catalogue that the files were brought up to. Left out: the one that the draft was made from.',
    max: 999_999_999,
    optional: true,
  })
  base?: number;
}

export class DraftIssueDto {
  @Text({ description: 'Where.', example: 'purposes[0].translations.de.name', maxLength: 1000, minLength: 0 })
  path!: string;
  @Text({ description: 'What is wrong there.', example: 'is required', maxLength: 1000 }) message!: string;
}

export class CatalogueDraftDto {
  @OneOf(['catalogue_draft'], { description: 'What this is.', example: 'catalogue_draft' }) object!: string;
  @OneOf(['NONE', 'OPEN'], {
    description: 'NONE: no draft waits, and `files` are those that are published. OPEN: it waits to be published.',
    example: 'OPEN',
  })
  state!: 'NONE' | 'OPEN';
  @Text({ description: 'The ETag, to send back as If-Match.', example: '"draft-7"', maxLength: 40 }) tag!: string;
  @Nested(() => DraftFilesDto, { description: 'The files.' }) files!: DraftFiles;
  @Whole(BASE) base!: number;
  @Whole({ description: 'Newest version of the catalogue.', example: 3, min: 0 }) version!: number;
  @Timestamp({ description: 'When it was saved last.', nullable: true }) editedAt!: string | null;
  @Text({ description: 'Who saved it last.', example: 'operator:opt_first', maxLength: 100, nullable: true })
  editedBy!: string | null;
  @ListOf(() => DraftIssueDto, {
    description: 'Why it cannot be published yet, by place; the first of them where there are many.',
    maxItems: 200,
  })
  issues!: DraftIssueDto[];
  @ListOf(() => CatalogueDiffDto, {
    description: 'What publishing it would change; empty where it cannot be.',
    maxItems: 510,
  })
  changes!: CatalogueDiffDto[];
  @Nested(() => CatalogueSettingsDto, { description: 'Whether drafts are published here, and whose eyes they need.' })
  settings!: CatalogueSettingsDto;
}

const CHANGED_OBJECT = { description: 'What it is.', example: 'purpose' } as const;
const OBJECTS = ['purpose', ...DOCUMENTS.map(({ object }) => object)];
const KEY = {
  description: 'Key of the purpose; of a document what it is.',
  example: 'analytics',
  maxLength: 100,
} as const;

export class VersionChangeDto {
  @OneOf(OBJECTS, CHANGED_OBJECT) object!: string;
  @Text(KEY) key!: string;
  @OneOf(['PUBLISH', 'RETIRE'], { description: 'What was done.', example: 'PUBLISH' }) action!: string;
  @Whole({ description: 'Its version afterwards.', example: 2 }) version!: number;
  @ListOf(() => 'string', {
    description: 'Members of the purpose, or parts of the document, that changed.',
    example: ['translations'],
    maxItems: 1000,
  })
  changed!: string[];
  @Text({
    description: 'What changed, in the words of who published it; null where it was retired.',
    example: 'Clearer words.',
    maxLength: 2000,
    minLength: 0,
    nullable: true,
  })
  summary!: string | null;
  @Timestamp({ description: 'From when it is in force; null where it was retired.', nullable: true })
  effectiveFrom!: string | null;
}

export class CatalogueVersionDto {
  @OneOf(['catalogue_version'], { description: 'What this is.', example: 'catalogue_version' }) object!: string;
  @Whole({ description: 'Number of the version, from 1.', example: 4 }) version!: number;
  @Timestamp({ description: 'When it was published.' }) at!: string;
  @Text({ description: 'Who published it.', example: 'operator:opt_first', maxLength: 100 }) by!: string;
  @OneOf(CATALOGUE_OWNERS, { description: 'FILES: it was applied. CONSOLE: it was a draft.', example: 'CONSOLE' })
  source!: string;
  @Text({
    description: 'Who edited the draft last; null where it was no draft.',
    example: 'operator:opt_4Zt8nXq2LmPa',
    maxLength: 100,
    nullable: true,
  })
  editedBy!: string | null;
  @ListOf(() => VersionChangeDto, { description: 'What was published or retired.', maxItems: 510 })
  changes!: VersionChangeDto[];
}

export class CatalogueVersionListDto {
  @ListOf(() => CatalogueVersionDto, { description: 'Newest first.', maxItems: 200 }) data!: CatalogueVersionDto[];
  @Text({ description: 'Where to go on; null on the last page.', example: null, maxLength: 200, nullable: true })
  nextCursor!: string | null;
  @Flag({ description: 'Whether there are more.', example: false }) hasMore!: boolean;
}

export class CatalogueVersionsQuery extends ListQuery {}

export class CatalogueDifferenceQuery {
  @Whole({
    description: 'The version to compare with; 0: an empty catalogue. Default: the one before.',
    example: 0,
    min: 0,
    max: 999_999_999,
    optional: true,
  })
  from?: number;
}

const VALUE = {
  types: ['string', 'number', 'boolean', 'null', 'array'],
  maxBytes: FILES_BYTES_MAX,
  depth: 10,
} as const;

export class FieldDifferenceDto {
  @Text({
    description: 'Where in the file. Items of lists are named by their key, name or what else tells them apart.',
    example: 'translations.en.description',
    maxLength: 2000,
  })
  path!: string;
  @OneOf(['ADDED', 'REMOVED', 'CHANGED', 'MOVED'], {
    description:
      'What happened there. MOVED: a list holds the same items in another order, which stands by their names.',
    example: 'CHANGED',
  })
  change!: string;
  @Any({ description: 'What was there; null: nothing.', example: 'Counts visits.', ...VALUE }) before!: unknown;
  @Any({ description: 'What is there; null: nothing.', example: 'Counts visits and clicks.', ...VALUE })
  after!: unknown;
}

export class ObjectDifferenceDto {
  @OneOf(OBJECTS, CHANGED_OBJECT) object!: string;
  @Text(KEY) key!: string;
  @OneOf(['ADDED', 'RETIRED', 'CHANGED'], { description: 'What became of it.', example: 'CHANGED' }) action!: string;
  @Whole({ description: 'Its version then; null: it was not there.', example: 1, nullable: true }) before!:
    number | null;
  @Whole({ description: 'Its version now; null: it was not there.', example: 2, nullable: true }) after!: number | null;
  @ListOf(() => FieldDifferenceDto, { description: 'The places that differ, by path.', maxItems: 2000 })
  fields!: FieldDifferenceDto[];
}

export class CatalogueDifferenceDto {
  @OneOf(['catalogue_difference'], { description: 'What this is.', example: 'catalogue_difference' }) object!: string;
  @Whole({ description: 'Version that was compared with.', example: 1, min: 0 }) from!: number;
  @Whole({ description: 'Version that was compared.', example: 2, min: 0 }) to!: number;
  @ListOf(() => ObjectDifferenceDto, { description: 'The objects that differ.', maxItems: 10_000 })
  changes!: ObjectDifferenceDto[];
  @Flag({ description: 'Whether places were left out, because there are more than 2,000.', example: false })
  isCut!: boolean;
}
