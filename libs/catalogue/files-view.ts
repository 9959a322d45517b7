import { hashOf, type Instant } from '../kernel/index.js';
import type { PurposeFile } from './decide.js';
import type { ApplyCatalogueDto, CatalogueFilesDto, PurposeFileDto } from './dto.js';
import { filesOf } from './files-of-input.js';
import type { PurposeDefinition } from './events.js';
import { isRetired, type CatalogueState, type CataloguedPurpose } from './state.js';
import type { TemplateFileDto } from './template-dto.js';
import type { TemplateDefinition, TemplateField } from './template-definition.js';

/** What stands in the catalogue as the files that it could have come from: the newest version of everything. */
export function catalogueFiles({ purposes, templates }: CatalogueState, at: Instant): CatalogueFilesDto {
  const template = templates.at(-1);
  return {
    purposes: Object.values(purposes)
      .sort((a, b) => (a.key < b.key ? -1 : 1))
      .map((purpose) => purposeFile(purpose, at)),
    ...(template && { template: { ...templateFile(template.definition), ...announced(template.effectiveFrom, at) } }),
  };
}

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
  const { purposes, template } = filesOf(files);
  return {
    purposes: purposes.map(({ definition, status, effectiveFrom }) => ({
      key: definition.key,
      ...(status === 'RETIRED' && { status }),
      ...(effectiveFrom !== undefined && { effectiveFrom }),
      ...termsOf(definition),
    })),
    ...(template && { template: templateFile(template.definition) }),
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

/** The same of a template. */
function templateFile({ defaultLocale, channels, sections }: TemplateDefinition): TemplateFileDto {
  return {
    defaultLocale,
    ...(channels.length > 0 && {
      channels: channels.map(({ key, label, verification }) => ({
        key,
        label,
        ...(verification !== 'NONE' && { verification }),
      })),
    }),
    sections: sections.map(({ key, title, fields }) => ({ key, title, fields: fields.map(fieldFile) })),
  };
}

function fieldFile(field: TemplateField): TemplateFileDto['sections'][number]['fields'][number] {
  const { key, kind, label, help, channel, topic, purposeKey, options, required, doubleOptIn, validation } = field;
  return {
    key,
    kind,
    label,
    ...(help !== null && { help }),
    ...(channel !== null && { channel }),
    ...(topic !== null && { topic }),
    ...(purposeKey !== null && { purposeKey }),
    ...(options.length > 0 && { options: options.map(({ value, label: shown }) => ({ value, label: shown })) }),
    ...(field.default !== null && { default: field.default }),
    ...(required && { required }),
    ...(doubleOptIn !== 'NONE' && { doubleOptIn }),
    ...(Object.keys(validation).length > 0 && { validation }),
  };
}

/** A version that is in force only later says so: published anew elsewhere it must not be in force at once. */
const announced = (effectiveFrom: Instant, at: Instant): { effectiveFrom?: Instant } =>
  effectiveFrom > at ? { effectiveFrom } : {};
