import { ARCHIVE_SCHEMA } from './archive-json.js';

const text = { type: 'string' } as const;
const time = { type: 'string', format: 'date-time' } as const;
const nullable = { type: ['string', 'null'] } as const;
const object = (properties: Readonly<Record<string, object>>): object => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
const listOf = (items: object, description: string): object => ({ type: 'array', items, description });

/** JSON Schema (2020-12) of `your-data.json`, which lies beside it in the archive. */
export const ARCHIVE_JSON_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: ARCHIVE_SCHEMA,
  title: 'Everything that a consent service holds on one person',
  ...object({
    schema: { const: ARCHIVE_SCHEMA },
    request: { ...text, description: 'Id of the data request that this answers.' },
    site: text,
    environment: { enum: ['test', 'live'] },
    language: { ...text, description: 'Of the page beside it, BCP 47.' },
    madeAt: time,
    subject: object({
      id: { ...text, description: 'The person, by the id of this service.' },
      merged: listOf(text, 'Ids under which the same person was known before.'),
    }),
    identifiers: listOf(object({ subject: text, kind: text, value: text }), 'By what the person is known.'),
    standing: listOf(
      object({ about: text, state: text, since: time, until: { type: ['string', 'null'], format: 'date-time' } }),
      'Consents, by purpose, and preferences, by their path, as they stand.',
    ),
    requests: listOf({ type: 'object' }, 'Data requests, as GET /v1/data-requests/{id} shows them, without notes.'),
    history: listOf(
      object({
        type: { ...text, description: 'ConsentRecorded, PreferenceSet, IdentifierAdded, …' },
        recordedAt: time,
        subject: text,
        data: { description: 'What was recorded; null where it cannot be read.' },
        receipt: {
          oneOf: [{ type: 'null' }, object({ receipt: { type: 'object' }, jws: text })],
          description: 'The signed receipt, where the record has one; verified with /.well-known/jwks.json.',
        },
      }),
      'All that was recorded, in its order.',
    ),
    texts: listOf(
      {
        type: 'object',
        properties: { kind: text, key: nullable, version: { type: 'integer' }, locale: text, contentHash: text },
        required: ['kind', 'key', 'version', 'locale', 'contentHash', 'content'],
      },
      'Every text that was shown, once, by the hash that records name.',
    ),
    deliveries: listOf(
      object({ id: text, type: text, origin: nullable, outcome: { enum: ['DELIVERED', 'FAILED'] }, finishedAt: time }),
      'Systems that were sent events in the last 30 days.',
    ),
    reads: listOf(
      object({
        reader: { ...text, description: 'Id of a key, or `operator`.' },
        operation: text,
        hour: time,
        reads: { type: 'integer' },
        firstAt: time,
        lastAt: time,
      }),
      'Who read of the person, by hour, newest first.',
    ),
  }),
} as const;
