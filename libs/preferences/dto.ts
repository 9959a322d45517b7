import { Any, Flag, OneOf, Text } from '../http/contract/fields.js';
import { FIELD_STATES, TOPIC_STATES, type FieldValue } from './events.js';

export const VALUE_TYPES = ['boolean', 'string', 'number', 'array', 'null'] as const;
/** Of a text of 4,000 characters, each of them escaped. */
export const VALUE_BYTES = 32_768;
export const CHANNEL = { example: 'email', maxLength: 47 } as const;
const STATES = [...new Set([...TOPIC_STATES, ...FIELD_STATES])];

export class PreferenceChangeDto {
  @Text({
    description: 'Full path of a topic, or key of a typed field.',
    example: 'channels.email.topics.news',
    maxLength: 200,
  })
  field!: string;
  @Text({ description: 'Channel of a topic; null for a typed field.', ...CHANNEL, nullable: true }) channel!:
    string | null;
  @OneOf(STATES, { description: 'State before. SET: a typed field with a value.', example: 'UNSET' })
  previousState!: string;
  @OneOf(STATES, {
    description: 'State after. PENDING: wanted, and waiting for the double opt-in.',
    example: 'PENDING',
  })
  state!: string;
  @Any({
    description: 'What was asked for; null where only frequency or pause were named, or where a field was cleared.',
    example: true,
    types: VALUE_TYPES,
    maxBytes: VALUE_BYTES,
    depth: 2,
    items: { type: 'string' },
  })
  value!: FieldValue;
  @Flag({
    description:
      'False where something newer already stood, or a refusal and this is an undated import; it is history then.',
    example: true,
  })
  appliedToState!: boolean;
}

export class OptOutChangeDto {
  @OneOf(['NONE', 'ACTIVE'], { description: 'State before.', example: 'NONE' }) previousState!: string;
  @OneOf(['NONE', 'ACTIVE'], { description: 'State after.', example: 'ACTIVE' }) state!: string;
  @Flag({ description: 'False where something newer already stood.', example: true }) appliedToState!: boolean;
}
