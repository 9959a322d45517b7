import { hashOf, type Instant } from '../../kernel/index.js';
import type { PurposeFile } from '../decide.js';
import type { ApplyCatalogueDto, CatalogueFilesDto, PurposeFileDto } from '../dto.js';
import type { DocumentFile } from './document-file.js';
import { filesOf } from './files-of-input.js';
import type { PurposeDefinition } from '../events.js';
import { DOCUMENT_FILES, documentsIn } from './document-files.js';
import { DOCUMENTS, type DocumentName } from '../documents.js';
import { isRetired, versionsOf, type CatalogueState, type CataloguedPurpose } from '../state.js';

/** What stands in the catalogue as the files that it could have come from: the newest version of everything. */
export function catalogueFiles(state: CatalogueState, at: Instant): CatalogueFilesDto {
  const documents = DOCUMENTS.flatMap((kind) => {
    const newest = versionsOf<unknown>(state, kind).at(-1);
    return newest
      ? [[kind.name, { ...fileOf(kind.name, newest.definition), ...announced(newest.effectiveFrom, at) }]]
      : [];
  });
  return {
    purposes: Object.values(state.purposes)
      .sort((a, b) => (a.key < b.key ? -1 : 1))
      .map((purpose) => purposeFile(purpose, at)),
    ...(Object.fromEntries(documents) as Omit<CatalogueFilesDto, 'purposes'>),
  };
}

const fileOf = (name: DocumentName, definition: unknown): object =>
  (DOCUMENT_FILES[name] as DocumentFile<unknown, object>).fileOf(definition);

/** As the defaults are filled in: a member that says the same as leaving it out is left out. */
function purposeFile(purpose: CataloguedPurpose, at: Instant): PurposeFileDto {
  const { definition, effectiveFrom } = purpose.versions.at(-1)!;
  return {
    key: definition.key,
    ...(isRetired(purpose, at) && { status: 'RETIRED' as const }),
    ...announced(effectiveFrom, at),
    ...termsOf(definition),
  };
}

/** Files as they would be exported once they were published, so that both can be compared line by line. */
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

/** A definition as a file says it, without what is said about its publication. */
function termsOf(definition: PurposeDefinition): Omit<PurposeFileDto, 'key'> {
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

/** A version that is in force only later says so: published anew elsewhere it must not be in force at once. */
const announced = (effectiveFrom: Instant, at: Instant): { effectiveFrom?: Instant } =>
  effectiveFrom > at ? { effectiveFrom } : {};
