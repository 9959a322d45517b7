import { fieldsOf, type JsonSchema } from '../contract/declared.js';
import { ErrorAnswer, ErrorProblem } from '../errors/error-answer.js';
import { definitionsOf } from '../contract/fields.js';
import type { Contract, DocumentedOperation } from '../contract/operation.js';

const PREFIX = '#/components/schemas/';

/** The schemas of all bodies and answers, and how an operation refers to them. */
export interface PublishedSchemas {
  components: Record<string, JsonSchema>;
  ofBody(contract: Contract): JsonSchema;
  /** The schema of a form: without fields that the address has a parameter for. */
  ofForm(contract: Contract): JsonSchema;
  ofAnswer(contract: Contract): JsonSchema;
}

/**
 * Bodies are closed, so that a typo is refused. Answers are open, because /v1 may grow: they may gain fields, and their
 * enums values. A contract that stands in both is published twice; in bodies its name then ends in `Input`.
 */
export function publishedSchemas(operations: readonly DocumentedOperation[]): PublishedSchemas {
  const bodies = operations.flatMap(({ body }) => body?.contract ?? []);
  const answers = [
    ...operations.flatMap((operation) => operation.answers.flatMap(({ contract }) => contract ?? [])),
    ErrorAnswer,
    ErrorProblem,
  ];
  const answered = definitionsOf(answers, PREFIX, publicName);
  const bodyName = (contract: Contract): string =>
    publicName(contract) in answered ? `${publicName(contract)}Input` : publicName(contract);
  const sent = definitionsOf(bodies, PREFIX, bodyName);
  for (const name of Object.keys(sent)) if (name in answered) throw new Error(`two contracts are published as ${name}`);
  const requests = mapped(sent, ofRequest);
  const forms = Object.fromEntries(
    operations.flatMap(({ byLink, body, query }) => {
      if (!byLink || !body || !query) return [];
      const name = bodyName(body.contract);
      return [[`${name}Form`, without(fieldsOf(query), requests[name]!)]];
    }),
  );
  const ref = (name: string): JsonSchema => ({ $ref: `${PREFIX}${name}` });
  return {
    components: { ...requests, ...forms, ...mapped(answered, ofAnswer) },
    ofBody: (contract) => ref(bodyName(contract)),
    ofForm: (contract) => {
      const name = bodyName(contract);
      return ref(`${name}Form` in forms ? `${name}Form` : name);
    },
    ofAnswer: (contract) => ref(publicName(contract)),
  };
}

/** Generated methods have one argument for each parameter and each field of a form: no two may have one name. */
function without(parameters: ReadonlyMap<string, unknown>, schema: JsonSchema): JsonSchema {
  const isLeft = (name: string): boolean => !parameters.has(name);
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(propertiesOf(schema)).filter(([name]) => isLeft(name))),
    required: (schema.required as string[]).filter(isLeft),
  };
}

/** `Dto` tells readers of the source what a class is for. Users of a generated client meet a Subject, not a SubjectDto. */
const publicName = ({ name }: Contract): string => name.replace(/Dto$/, '');

function mapped(
  all: Record<string, JsonSchema>,
  change: (schema: JsonSchema) => JsonSchema,
): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(all).map(([name, schema]) => [name, change(schema)]));
}

const propertiesOf = (schema: JsonSchema): Record<string, JsonSchema> =>
  schema.properties as Record<string, JsonSchema>;

const ofRequest = (schema: JsonSchema): JsonSchema => ({
  ...schema,
  properties: mapped(propertiesOf(schema), withDefaultInWords),
});

/**
 * Says the default in the description. With the keyword `default`, generators such as openapi-typescript take a field for
 * one that is always there. But a request may leave it out, and so may an answer with the form of a request, such as an
 * exported file.
 */
function withDefaultInWords({ default: value, ...field }: JsonSchema): JsonSchema {
  if (value === undefined) return field;
  const shown = typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
  return { ...field, description: `${String(field.description)} Default: \`${shown}\`.` };
}

function ofAnswer({ additionalProperties: _, ...schema }: JsonSchema): JsonSchema {
  return { ...schema, properties: mapped(propertiesOf(schema), (field) => withOpenEnums(withDefaultInWords(field))) };
}

function withOpenEnums(schema: JsonSchema): JsonSchema {
  const { items, additionalProperties } = schema;
  return {
    ...openEnum(schema),
    ...(isSchema(items) && { items: withOpenEnums(items) }),
    ...(isSchema(additionalProperties) && { additionalProperties: withOpenEnums(additionalProperties) }),
  };
}

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null;

/** A single value is no choice but a constant, which tells what an object is. */
function openEnum(schema: JsonSchema): JsonSchema {
  const { type: _, enum: listed = [], ...field } = schema;
  const values = (listed as (string | null)[]).filter((value) => value !== null);
  if (values.length < 2) return schema;
  const isNullable = values.length < (listed as unknown[]).length;
  return { ...field, anyOf: [...oneOfKnown(values), ...(isNullable ? [{ type: 'null' }] : [])] };
}

/** Known values, to which others may come. */
export const oneOfKnown = (values: readonly string[]): JsonSchema[] => [
  { type: 'string', enum: [...values] },
  { type: 'string' },
];
