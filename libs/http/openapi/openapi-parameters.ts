import { fieldsOf, type JsonSchema } from '../contract/declared.js';
import { definitionsOf } from '../contract/fields.js';
import type { Contract, DocumentedOperation } from '../contract/operation.js';

const REF = {
  description: 'Subject reference `<kind>:<value>`, percent-encoded as one segment.',
  example: 'visitor_id:6f1c5f0e6b0a5d3c9a5e7c1b2d4e8f90',
};

/** What an operation takes beside its body. Throws where a segment of the path is not described. */
export const parametersOf = (operation: DocumentedOperation): JsonSchema[] => [
  ...pathParameters(operation),
  ...queryParameters(operation.query),
  ...headerParameters(operation),
];

function pathParameters({ id, path, pathParameters: documented = {} }: DocumentedOperation): JsonSchema[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => {
    const parameter = documented[name!] ?? (name === 'ref' ? REF : undefined);
    if (!parameter) throw new Error(`${id} does not describe its path parameter ${name}`);
    return {
      name,
      in: 'path',
      required: true,
      description: parameter.description,
      schema: { type: 'string', minLength: 1, maxLength: 800 },
      example: parameter.example,
    };
  });
}

function queryParameters(query: Contract | undefined): JsonSchema[] {
  if (!query) return [];
  const { properties } = definitionsOf([query])[query.name] as { properties: Record<string, JsonSchema> };
  return [...fieldsOf(query).values()].map((field) => {
    const { description, examples, ...schema } = properties[field.name]!;
    const example = (examples as unknown[] | undefined)?.[0];
    return {
      name: field.name,
      in: 'query',
      required: !field.optional,
      description,
      schema,
      ...(example === undefined ? {} : { example }),
      ...(field.kind === 'list' ? { style: 'form', explode: true } : {}),
    };
  });
}

const headerParameters = ({ headers = [] }: DocumentedOperation): JsonSchema[] =>
  headers.map(({ name, description, required, example }) => ({
    name,
    in: 'header',
    required,
    description,
    schema: { type: 'string' },
    example,
  }));
