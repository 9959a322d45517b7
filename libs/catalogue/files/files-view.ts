import { hashOf, type Instant } from '../../kernel/index.js';
import type { PurposeFile } from '../decide.js';
import type { ApplyCatalogueDto, CatalogueFilesDto, PurposeFileDto } from '../dto.js';
import type { DocumentFile } from './document-file.js';
import { filesOf } from './files-of-input.js';
import type { PurposeDefinition } from '../events.js';
import { DOCUMENT_FILES, documentsIn } from './document-files.js';
import { DOCUMENTS, type DocumentName } from '../documents.js';
import { isRetired, versionsOf, type CatalogueState, type CataloguedPurpose } from '../state.js';

/** The catalogue as files that would make it: the newest version of everything. */
export function catalogueFiles(state: CatalogueState, at: Instant): CatalogueFilesDto {
  const documents = DOCUMENTS.flatMap((kind) => {
    const newest = versionsOf<unknown>(state, kind).at(-1);
    return newest
      ? [[kind.name, { ...documentFile(kind.name, newest.definition), ...announced(newest.effectiveFrom, at) }]]
      : [];
  });
  return {
    purposes: Object.values(state.purposes)
      .sort((a, b) => (a.key < b.key ? -1 : 1))
      .map((purpose) => purposeFile(purpose, at)),
    ...(Object.fromEntries(documents) as Omit<CatalogueFilesDto, 'purposes'>),
  };
}

/** A definition of a document as the shortest file. */
export const documentFile = (name: DocumentName, definition: unknown): object =>
  (DOCUMENT_FILES[name] as DocumentFile<unknown, object>).fileOf(definition);

/** The reverse of filling in defaults: leaves out members whose value is the default. */
function purposeFile(purpose: CataloguedPurpose, at: Instant): PurposeFileDto {
  const { definition, effectiveFrom } = purpose.versions.at(-1)!;
  return {
    key: definition.key,
    ...(isRetired(purpose, at) && { status: 'RETIRED' as const }),
    ...announced(effectiveFrom, at),
    ...termsOf(definition),
  };
}

/** The files in the form of an export after publication, so that both can be compared line by line. */
export function asExported(files: ApplyCatalogueDto): CatalogueFilesDto {
  const { purposes } = filesOf(files);
  const documents = documentsIn(files).map(({ name, form, file }) => [name, form.fileOf(form.definitionOf(file))]);
  return {
    purposes: purposes.map(({ definition, status, effectiveFrom }) => ({
      key: definition.key,
      ...(status === 'RETIRED' && { status }),
      ...(effectiveFrom !== undefined && { effectiveFrom }),
      ...termsOf(definition),
    })),
    ...(Object.fromEntries(documents) as Omit<CatalogueFilesDto, 'purposes'>),
  };
}

/** A definition as a file has it, without its key and members about its publication. */
export function termsOf(definition: PurposeDefinition): Omit<PurposeFileDto, 'key'> {
  const { key: _, legalBasis, consentModel, category, validityDays, retention, gpc, ...more } = definition;
  const { dataCategories, recipients, frameworks, cookies, controller, defaultLocale, translations } = more;
  const texts = Object.entries(translations).map(([locale, { name, description, legalText }]) => [
    locale,
    { name, description, ...(legalText !== '' && { legalText }) },
  ]);
  return {
    legalBasis,
    consentModel,
    category,
    controller,
    ...(validityDays !== null && { validityDays }),
    ...(retention !== null && { retention }),
    ...(gpc && { gpc }),
    ...(dataCategories.length > 0 && { dataCategories }),
    ...(recipients.length > 0 && { recipients }),
    ...(cookies.length > 0 && { cookies }),
    ...(hashOf(frameworks) !== NO_FRAMEWORKS && { frameworks }),
    defaultLocale,
    translations: Object.fromEntries(texts) as PurposeFileDto['translations'],
  };
}

const NO_FRAMEWORKS = hashOf({
  tcf: { purposes: [], specialFeatures: [] },
  google: [],
  us: [],
} satisfies PurposeFile['definition']['frameworks']);

/** The start of a version that is not in force yet: a copy published elsewhere must not start at once. */
const announced = (effectiveFrom: Instant, at: Instant): { effectiveFrom?: Instant } =>
  effectiveFrom > at ? { effectiveFrom } : {};
