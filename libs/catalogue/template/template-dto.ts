import { Any, Flag, ListOf, Nested, Numeric, OneOf, Text, Timestamp, Whole } from '../../http/contract/fields.js';
import { CHANNEL_KEY, LOCALE, OPTION_VALUE, PURPOSE_KEY, TEMPLATE_KEY } from '../patterns.js';
import {
  DOUBLE_OPT_IN,
  FIELD_KINDS,
  TEXT_PATTERNS,
  VERIFICATIONS,
  type DoubleOptIn,
  type FieldKind,
  type FieldValue,
  type TextPattern,
} from './template-definition.js';
import { texts } from '../texts/texts-field.js';

const VERIFICATION = {
  description:
    'Which kind of identifier has to be verified for the channel to count as verified. NONE: there is none, as for push.',
  example: 'EMAIL',
} as const;
const KIND = {
  description: 'What can be said: true or false, one option, several, a number, a date, text, how often.',
  example: 'TOGGLE',
} as const;
const CONFIRMED = {
  description:
    'Whether a grant of the topic waits for a confirmation: never, always, or only while the channel is not verified.',
  example: 'REQUIRED',
} as const;
const ANSWER = {
  description: 'What to show where nothing was said. Never counts as an answer.',
  example: false,
  types: ['boolean', 'string', 'number', 'array', 'null'],
  maxBytes: 8000,
  depth: 2,
} as const;
export class FieldValidationDto {
  @Numeric({ description: 'NUMBER: least value. MULTI_SELECT: fewest options.', example: 16, optional: true })
  min?: number;
  @Numeric({ description: 'NUMBER: greatest value. MULTI_SELECT: most options.', example: 120, optional: true })
  max?: number;
  @Flag({ description: 'NUMBER: whole numbers only.', example: true, optional: true }) whole?: boolean;
  @Whole({ description: 'TEXT: most characters. Default 500.', example: 200, min: 1, max: 4000, optional: true })
  maxLength?: number;
  @OneOf(Object.keys(TEXT_PATTERNS), {
    description: 'TEXT: what it has to be.',
    example: 'POSTAL_CODE',
    optional: true,
  })
  pattern?: TextPattern;
}

export class TemplateOptionFileDto {
  @Text({
    description: 'What is stored; of frequencies IMMEDIATE, DAILY, WEEKLY, MONTHLY or QUARTERLY.',
    example: 'WEEKLY',
    ...OPTION_VALUE,
  })
  value!: string;
  @texts('Label', 'Once a week', 200) label!: Record<string, string>;
}

export class TemplateFieldFileDto {
  @Text({
    description: 'Key of the field; never changes. Unique in the template.',
    example: 'email_news',
    ...TEMPLATE_KEY,
  })
  key!: string;
  @OneOf(FIELD_KINDS, { ...KIND, description: `${KIND.description} A topic is a TOGGLE.` }) kind!: FieldKind;
  @texts('Label', 'News', 200) label!: Record<string, string>;
  @texts('Help', 'Once a month at most.', 1000, true) help?: Record<string, string>;
  @Text({
    description: 'Channel of the topic; one of the channels of the template. Only together with `topic`.',
    example: 'email',
    ...CHANNEL_KEY,
    optional: true,
  })
  channel?: string;
  @Text({
    description: 'Topic that the field switches on and off. Only together with `channel`.',
    example: 'news',
    ...TEMPLATE_KEY,
    optional: true,
  })
  topic?: string;
  @Text({
    description: 'Key of the purpose that the field serves.',
    example: 'marketing',
    ...PURPOSE_KEY,
    optional: true,
  })
  purposeKey?: string;
  @ListOf(() => TemplateOptionFileDto, {
    description:
      'Choices of SELECT and MULTI_SELECT; frequencies of FREQUENCY, and of a topic whose frequency can be chosen.',
    maxItems: 100,
    optional: true,
    default: [],
  })
  options?: TemplateOptionFileDto[];
  @Any({ ...ANSWER, optional: true }) default?: FieldValue;
  @Flag({
    description: 'Whether the field may not be cleared once something was said. Not of topics.',
    example: false,
    default: false,
    optional: true,
  })
  required?: boolean;
  @OneOf(DOUBLE_OPT_IN, { ...CONFIRMED, default: 'NONE', optional: true }) doubleOptIn?: DoubleOptIn;
  @Nested(() => FieldValidationDto, { description: 'Limits of the value.', optional: true })
  validation?: FieldValidationDto;
}

export class TemplateSectionFileDto {
  @Text({ description: 'Key of the section. Unique in the template.', example: 'mail', ...TEMPLATE_KEY }) key!: string;
  @texts('Title', 'What we may send you', 200) title!: Record<string, string>;
  @ListOf(() => TemplateFieldFileDto, {
    description: 'Fields, in the order in which they are shown.',
    minItems: 1,
    maxItems: 200,
  })
  fields!: TemplateFieldFileDto[];
}

export class TemplateChannelFileDto {
  @Text({ description: 'Key of the channel.', example: 'email', ...CHANNEL_KEY }) key!: string;
  @texts('Label', 'E-mail', 200) label!: Record<string, string>;
  @OneOf(VERIFICATIONS, { ...VERIFICATION, default: 'NONE', optional: true })
  verification?: (typeof VERIFICATIONS)[number];
}

/** For every kind of document. */
export class TemplateChangeNoteDto {
  @Text({ description: 'What changes.', example: 'A topic for deliveries.', maxLength: 500, optional: true })
  summary?: string;
}

/** The template file. Every text exists in every language of the template. */
export class TemplateFileDto {
  @Text({ description: 'Language that is served where no wish can be met.', example: 'en', ...LOCALE })
  defaultLocale!: string;
  @ListOf(() => TemplateChannelFileDto, {
    description: 'Channels that have topics.',
    maxItems: 50,
    optional: true,
    default: [],
  })
  channels?: TemplateChannelFileDto[];
  @ListOf(() => TemplateSectionFileDto, {
    description: 'Sections, in the order in which they are shown; 200 fields altogether.',
    minItems: 1,
    maxItems: 50,
  })
  sections!: TemplateSectionFileDto[];
  @Nested(() => TemplateChangeNoteDto, { description: 'About the version this file would become.', optional: true })
  change?: TemplateChangeNoteDto;
  @Timestamp({ description: 'From when the new version is in force. Default: at once.', optional: true })
  effectiveFrom?: string;
}

export class TemplateOptionDto {
  @Text({ description: 'What is stored.', example: 'WEEKLY', ...OPTION_VALUE }) value!: string;
  @Text({ description: 'Label, in the language served.', example: 'Once a week', maxLength: 200 }) label!: string;
}

export class TemplateFieldDto {
  @Text({ description: 'Key of the field.', example: 'email_news', ...TEMPLATE_KEY }) key!: string;
  @OneOf(FIELD_KINDS, KIND) kind!: string;
  @Text({ description: 'Label, in the language served.', example: 'News', maxLength: 200 }) label!: string;
  @Text({
    description: 'Help, in the language served.',
    example: 'Once a month at most.',
    maxLength: 1000,
    nullable: true,
  })
  help!: string | null;
  @Text({ description: 'Channel, where the field is a topic.', example: 'email', ...CHANNEL_KEY, nullable: true })
  channel!: string | null;
  @Text({ description: 'Topic, where the field is one.', example: 'news', ...TEMPLATE_KEY, nullable: true }) topic!:
    string | null;
  @Text({
    description: 'Key of the purpose that the field serves.',
    example: 'marketing',
    ...PURPOSE_KEY,
    nullable: true,
  })
  purposeKey!: string | null;
  @ListOf(() => TemplateOptionDto, {
    description: 'Choices; of a topic the frequencies it can come in.',
    maxItems: 100,
  })
  options!: TemplateOptionDto[];
  @Any({ ...ANSWER, items: { type: 'string' } }) default!: FieldValue;
  @Flag({ description: 'Whether it may not be cleared once something was said.', example: false }) required!: boolean;
  @OneOf(DOUBLE_OPT_IN, CONFIRMED) doubleOptIn!: string;
  @Nested(() => FieldValidationDto, { description: 'Limits of the value.' }) validation!: FieldValidationDto;
}

export class TemplateSectionDto {
  @Text({ description: 'Key of the section.', example: 'mail', ...TEMPLATE_KEY }) key!: string;
  @Text({ description: 'Title, in the language served.', example: 'What we may send you', maxLength: 200 })
  title!: string;
  @ListOf(() => TemplateFieldDto, { description: 'Fields, in the order in which they are to be shown.', maxItems: 200 })
  fields!: TemplateFieldDto[];
}

export class TemplateChannelDto {
  @Text({ description: 'Key of the channel.', example: 'email', ...CHANNEL_KEY }) key!: string;
  @Text({ description: 'Label, in the language served.', example: 'E-mail', maxLength: 200 }) label!: string;
  @OneOf(VERIFICATIONS, VERIFICATION) verification!: string;
}

export class TemplateChangeDto {
  @Whole({ description: 'The version before; null for the first.', example: 1, nullable: true }) from!: number | null;
  @Text({ description: 'What changed.', example: 'First version.', maxLength: 500 }) summary!: string;
}

export class PreferenceTemplateDto {
  @OneOf(['preference_template'], { description: 'What this is.', example: 'preference_template' }) object!: string;
  @Whole({
    description: 'Version, from 1. 0 where none was published: there are no channels and sections then.',
    example: 1,
  })
  version!: number;
  @Text({ description: 'The language served; `und` of version 0.', example: 'en', ...LOCALE }) locale!: string;
  @ListOf(() => 'string', {
    description: 'Languages it can be had in.',
    example: ['de', 'en'],
    maxItems: 100,
    of: LOCALE,
  })
  availableLocales!: string[];
  @ListOf(() => TemplateChannelDto, { description: 'Channels.', maxItems: 50 }) channels!: TemplateChannelDto[];
  @ListOf(() => TemplateSectionDto, {
    description: 'Sections, in the order in which they are to be shown.',
    maxItems: 50,
  })
  sections!: TemplateSectionDto[];
  @Text({
    description: 'SHA-256 of exactly this version in exactly this language.',
    example: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    maxLength: 71,
  })
  contentHash!: string;
  @Nested(() => TemplateChangeDto, { description: 'What this version changed.', nullable: true })
  change!: TemplateChangeDto | null;
  @Timestamp({ description: 'From when it is in force.', nullable: true }) effectiveFrom!: string | null;
  @Timestamp({ description: 'When it was published.', nullable: true }) publishedAt!: string | null;
}
