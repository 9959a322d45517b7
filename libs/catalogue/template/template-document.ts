import { canonicalJson } from '../../kernel/index.js';
import { defineDocument } from '../document.js';
import { templateContradictions } from './template-contradictions.js';
import { fieldsOf, type TemplateDefinition } from './template-definition.js';

/** The preference template, `template.yaml`: which preferences people can set. */
export const TEMPLATE = defineDocument({
  name: 'template',
  object: 'preference_template',
  event: 'TemplatePublished',
  title: 'preference template',
  mark: 'sections',
  contradictions: (definition: TemplateDefinition, around) =>
    templateContradictions(definition, (key) => around.purposeOf(key)),
  /** `channels.sms`, `sections.topics`, `fields.language`. */
  partsOf: (definition) => [
    ['defaultLocale', definition.defaultLocale],
    ...definition.channels.map((channel) => [`channels.${channel.key}`, canonicalJson(channel)] as const),
    ...definition.sections.map(({ key, title }) => [`sections.${key}`, canonicalJson(title)] as const),
    ...fieldsOf(definition).map((field) => [`fields.${field.key}`, canonicalJson(field)] as const),
  ],
});
