import type { DocumentFile } from '../files/document-file.js';
import type { TemplateDefinition, TemplateField } from './template-definition.js';
import { TemplateFileDto } from './template-dto.js';

/** `template.yaml`. */
export const TEMPLATE_FILE: DocumentFile<TemplateDefinition, TemplateFileDto> = {
  contract: TemplateFileDto,
  about: 'The preference template.',
  definitionOf,
  fileOf,
};

function definitionOf({ defaultLocale, channels = [], sections }: TemplateFileDto): TemplateDefinition {
  return {
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
  };
}

function fileOf({ defaultLocale, channels, sections }: TemplateDefinition): TemplateFileDto {
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
