import { parseInstant, type Instant } from '../kernel/index.js';
import type { CatalogueFiles, PurposeFile } from './decide.js';
import type { TemplateFile } from './decide-template.js';
import type { ApplyCatalogueDto, PurposeFileDto } from './dto.js';
import type { TemplateFileDto } from './template-dto.js';

/** Files as they are decided on: what was left out is filled in, so that leaving it out or writing it is the same definition. */
export const filesOf = ({ purposes, template }: ApplyCatalogueDto): CatalogueFiles => ({
  purposes: purposes.map(purposeOf),
  ...(template && { template: templateOf(template) }),
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

function templateOf({ defaultLocale, channels = [], sections, change, effectiveFrom }: TemplateFileDto): TemplateFile {
  return {
    ...(change?.summary !== undefined && { summary: change.summary }),
    ...since(effectiveFrom),
    definition: {
      defaultLocale,
      channels: channels.map(({ key, label, verification = 'NONE' }) => ({ key, label, verification })),
      sections: sections.map(({ key, title, fields }) => ({
        key,
        title,
        fields: fields.map(
          ({
            help = null,
            channel = null,
            topic = null,
            purposeKey = null,
            options = [],
            default: shown = null,
            required = false,
            doubleOptIn = 'NONE',
            validation = {},
            ...named
          }) => ({
            ...named,
            help,
            channel,
            topic,
            purposeKey,
            options,
            default: shown,
            required,
            doubleOptIn,
            validation,
          }),
        ),
      })),
    },
  };
}
