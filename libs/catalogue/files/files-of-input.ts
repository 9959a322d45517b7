import { parseInstant, type Instant } from '../../kernel/index.js';
import type { CatalogueFiles, PurposeFile } from '../decide.js';
import type { DocumentInput } from '../document.js';
import { documentsIn } from './document-files.js';
import type { CatalogueFolderDto, PurposeFileDto } from '../dto.js';

/** Files as decisions get them, with defaults filled in: leaving a default out or writing it is the same definition. */
export const filesOf = (input: CatalogueFolderDto): CatalogueFiles => ({
  purposes: input.purposes.map(purposeOf),
  ...Object.fromEntries(
    documentsIn(input).map(({ name, form, file }) => [
      name,
      {
        ...(file.change?.summary !== undefined && { summary: file.change.summary }),
        ...since(file.effectiveFrom),
        definition: form.definitionOf(file),
      } satisfies DocumentInput<unknown>,
    ]),
  ),
});

const since = (effectiveFrom: string | undefined): { effectiveFrom?: Instant } =>
  effectiveFrom === undefined ? {} : { effectiveFrom: parseInstant(effectiveFrom)! };

function purposeOf({
  status = 'PUBLISHED',
  change,
  effectiveFrom,
  translations,
  ...terms
}: PurposeFileDto): PurposeFile {
  return {
    status,
    ...(change && { change }),
    ...since(effectiveFrom),
    definition: {
      dataCategories: [],
      recipients: [],
      frameworks: { tcf: { purposes: [], specialFeatures: [] }, google: [], us: [] },
      gpc: false,
      cookies: [],
      ...terms,
      retention: terms.retention ?? null,
      validityDays: terms.validityDays ?? null,
      translations: Object.fromEntries(
        Object.entries(translations).map(([locale, { name, description, legalText = '' }]) => [
          locale,
          { name, description, legalText },
        ]),
      ),
    },
  };
}
