import type { JsonSchema } from '../../http/contract/declared.js';
import { definitionsOf, schemaOf } from '../../http/contract/fields.js';
import type { Contract } from '../../http/contract/operation.js';
import { WEBHOOK_API_VERSION } from '../envelope.js';

/** What describes the data of a type. */
export interface Described {
  type: string;
  object: Contract;
  previous: Contract | null;
}

const text = (description: string, more: JsonSchema = {}): JsonSchema => ({ type: 'string', description, ...more });
const instant = (description: string): JsonSchema => text(description, { format: 'date-time' });

/**
 * JSON Schema 2020-12 of the whole body of a type, self-contained. `isOpen`: members may come that are not named, as they
 * may within an apiVersion; closed it is what this release sends.
 */
export function envelopeSchema({ type, object, previous }: Described, isOpen: boolean): JsonSchema {
  const refers = (contract: Contract): JsonSchema => ({ $ref: `#/$defs/${contract.name}` });
  const closed = isOpen ? {} : { additionalProperties: false };
  const whole = (properties: Record<string, JsonSchema>, description?: string): JsonSchema => ({
    type: 'object',
    ...(description !== undefined && { description }),
    properties,
    required: Object.keys(properties),
    ...closed,
  });
  const definitions = definitionsOf(previous ? [object, previous] : [object]);
  return {
    $schema: schemaOf(object).$schema,
    title: type,
    ...whole({
      id: text('The same on every attempt and in every replay: what to tell duplicates by.', {
        pattern: '^evt_[0-9A-HJKMNP-TV-Z]{26}$',
      }),
      type: { const: type },
      apiVersion: { const: WEBHOOK_API_VERSION },
      createdAt: instant('When the service recorded what happened.'),
      occurredAt: instant('When it happened; of an import, maybe long before.'),
      environment: { enum: ['test', 'live'] },
      site: text('The site.'),
      sequence: {
        type: 'integer',
        minimum: 0,
        description: 'Grows from event to event of a site and environment, with gaps.',
      },
      subject: {
        anyOf: [about(closed), { type: 'null' }],
        description: 'The subject of the event; null: it has none.',
      },
      data: whole({
        object: refers(object),
        previous: previous ? { anyOf: [refers(previous), { type: 'null' }] } : { type: 'null' },
      }),
    }),
    $defs: isOpen ? Object.fromEntries(Object.entries(definitions).map(opened)) : definitions,
  };
}

/** Whom an event is about. */
const about = (closed: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: {
    id: text('Id of the subject.'),
    identifiers: {
      type: 'array',
      description: 'In clear, of endpoints that ask for them; gone once the subject is erased.',
      items: {
        type: 'object',
        properties: { kind: text('Kind of the identifier.'), value: text('The identifier.') },
        required: ['kind', 'value'],
        ...closed,
      },
    },
  },
  required: ['id'],
  ...closed,
});

const opened = ([name, { additionalProperties: _, ...schema }]: [string, JsonSchema]): [string, JsonSchema] => [
  name,
  schema,
];
