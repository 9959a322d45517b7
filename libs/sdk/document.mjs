// The OpenAPI document of the service as generators of other languages take it: what servers call, in OpenAPI 3.0, with
// JSON answers alone. Errors, retries and headers are the hand-written part of each SDK.

/** Operations that a page, a browser or a probe calls, or whose answer is no JSON. */
const NOT_FOR_SERVERS = [
  'askOnPortal',
  'confirmPage',
  'enterPortalCode',
  'fetchArchive',
  'undoByLink',
  'unsubscribePage',
];
/** Writes that take no idempotency key: a repeat gives another link, or the same result. */
const HARMLESS_TO_REPEAT = [
  'confirmPreferences',
  'createPortalToken',
  'linkArchive',
  'makeUnsubscribeLink',
  'planDataRequest',
  'unsubscribe',
];
/** Fields that bear their name alone where they have the values that they have in the named schema. */
const SHARED = { decision: 'RecordConsent', source: 'RecordConsent' };
const PATHS = /^\/(v1\/|\.well-known\/)/;
const JSON_TYPE = /[/+]json$/;
const INT32_MAX = 2 ** 31 - 1;

/**
 * @param {object} served what `/openapi.json` answers (OpenAPI 3.1)
 * @returns {object} OpenAPI 3.0.3. Every answer of a set that may grow is a text; every set of a request is a schema of its
 * own. Throws an Error for a write that takes no idempotency key and is not known to be harmless.
 */
export function sdkDocument(served) {
  const { info, paths, components } = structuredClone(served);
  const asked = {};
  for (const [path, methods] of Object.entries(paths).filter(([name]) => PATHS.test(name)))
    for (const [method, operation] of Object.entries(methods)) {
      const answers = Object.entries(operation.responses).filter(
        ([status, { content = {} }]) => status < 300 && Object.keys(content).some((type) => JSON_TYPE.test(type)),
      );
      if (answers.length === 0 || NOT_FOR_SERVERS.includes(operation.operationId)) continue;
      (asked[path] ??= {})[method] = plainOperation(method, operation, answers);
    }
  const sent = reached(
    Object.values(asked)
      .flatMap(Object.values)
      .map((one) => one.requestBody),
    components.schemas,
  );
  const all = reached(asked, components.schemas);
  const schemas = {};
  const sets = new Sets(all);
  for (const [name, schema] of Object.entries(all))
    schemas[name] = plain(schema, { sets: name in sent ? sets : null, owner: name });
  Object.assign(schemas, sets.named);
  const plainPaths = plain(asked, { sets: null });
  return renamed({
    openapi: '3.0.3',
    info: { title: info.title, version: info.version },
    paths: plainPaths,
    components: { schemas },
  });
}

function plainOperation(method, { operationId, summary, description, parameters = [], requestBody }, answers) {
  const key = parameters.find(({ name }) => name === 'Idempotency-Key');
  if (method !== 'get' && !key && !HARMLESS_TO_REPEAT.includes(operationId))
    throw new Error(
      `${operationId} takes no idempotency key: is it harmless to repeat, or for browsers? Say so in ${import.meta.filename}`,
    );
  const body = requestBody && schemaOf(requestBody.content);
  return {
    operationId,
    summary,
    description,
    parameters: [
      ...parameters.filter(({ in: place }) => place === 'path' || place === 'query'),
      ...(key ? [{ ...key, 'x-originalName': 'idempotencyKey' }] : []),
    ].map(({ example: _, examples: __, ...parameter }) => ({
      ...(parameter.name === 'ref' && { 'x-originalName': 'subject' }),
      ...parameter,
      // The client encodes it.
      description: parameter.description?.replace(', percent-encoded as one path segment', ''),
    })),
    ...(body && { requestBody: { required: true, content: { 'application/json': { schema: body } } } }),
    responses: Object.fromEntries(
      answers.map(([status, { description: text, content }]) => [
        status,
        { description: text, content: { 'application/json': { schema: schemaOf(content) } } },
      ]),
    ),
  };
}

const schemaOf = (content) => Object.entries(content).find(([type]) => JSON_TYPE.test(type))[1].schema;

/** The schemas that something refers to, directly or by others. */
function reached(from, schemas, found = {}) {
  for (const [, name] of JSON.stringify(from).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    if (found[name]) continue;
    found[name] = schemas[name];
    reached(schemas[name], schemas, found);
  }
  return found;
}

/** Sets of values that requests choose from, each named after its owner and field, such as `CollectionMethod`. */
class Sets {
  named = {};

  constructor(schemas) {
    this.schemas = schemas;
  }

  reference(values, owner, field) {
    const pascal = field[0].toUpperCase() + field.slice(1);
    const shared = SHARED[field] && this.schemas[SHARED[field]].properties[field].enum;
    const name = shared?.join() === values.join() ? pascal : `${owner}${pascal}`;
    if (this.schemas[name]) throw new Error(`the values of ${owner}.${field} cannot be named ${name}: a schema is`);
    this.named[name] = { type: 'string', enum: values };
    return { $ref: `#/components/schemas/${name}` };
  }
}

const LIMITS =
  /^(minLength|maxLength|pattern|minItems|maxItems|maxProperties|propertyNames|minimum|maximum|examples?|additionalProperties|uniqueItems)$/;

/** A schema, or anything that holds schemas, in the words of OpenAPI 3.0 and without limits, which the service checks. */
function plain(value, context) {
  if (Array.isArray(value)) return value.map((one) => plain(one, context));
  if (typeof value !== 'object' || value === null) return value;
  if ('$ref' in value)
    return 'description' in value ? { allOf: [{ $ref: value.$ref }], description: value.description } : value;
  if ('anyOf' in value) return plainChoice(value, context);
  const types = [value.type].flat().filter((type) => typeof type === 'string');
  const [type, ...others] = types.filter((one) => one !== 'null');
  const { description } = value;
  const described = description === undefined ? {} : { description };
  const nullable = types.includes('null') ? { nullable: true } : {};
  if (others.length > 0) return { ...described, ...nullable };
  if (Array.isArray(value.enum)) return { ...plainSet(value, context), ...nullable };
  if (type === 'object' && !value.properties)
    return typeof value.additionalProperties === 'object'
      ? { type, ...described, ...nullable, additionalProperties: plain(value.additionalProperties, context) }
      : { ...described, ...nullable };
  const kept = Object.entries(value).filter(([name]) => type === undefined || !LIMITS.test(name));
  const made = Object.fromEntries(
    kept.map(([name, part]) => [
      name,
      name === 'properties'
        ? Object.fromEntries(
            Object.entries(part).map(([field, schema]) => [field, plain(schema, { ...context, field })]),
          )
        : plain(part, context),
    ]),
  );
  if (type === undefined) return made;
  const width = type === 'integer' && !(value.maximum <= INT32_MAX) ? { format: 'int64' } : {};
  return { ...made, type, ...width, ...nullable };
}

/** Values in capitals that a request chooses from are a set; all others may grow, and are texts. */
function plainSet({ enum: values, description = '' }, { sets, owner, field }) {
  if (sets && field && values.every((one) => /^[A-Z][A-Z0-9_]*$/.test(one)))
    return { allOf: [sets.reference(values, owner, field)], ...(description && { description }) };
  return {
    type: 'string',
    description: `${description} One of: ${values.map((one) => `\`${one}\``).join(', ')}.`.trim(),
  };
}

/** `anyOf` says "or null", or that a set of values may grow. */
function plainChoice({ anyOf, description }, context) {
  const some = anyOf.filter(({ type }) => type !== 'null');
  const nullable = some.length < anyOf.length ? { nullable: true } : {};
  const [first, second] = some;
  const described = description === undefined ? {} : { description };
  if (!second) return { ...('$ref' in first ? { allOf: [first] } : plain(first, context)), ...described, ...nullable };
  if (some.length > 2 || !first.enum || second.type !== 'string' || second.enum)
    throw new Error(`${context.owner}.${context.field} is a choice that no SDK can say`);
  const { description: text } = plainSet({ enum: first.enum, description }, { sets: null });
  return { type: 'string', description: `${text} A later release may add others.`, ...nullable };
}

/** No class may have a member of its own name: such a schema is renamed to `<Name>Answer`. */
function renamed(document) {
  const same = Object.entries(document.components.schemas)
    .filter(([name, { properties = {} }]) =>
      Object.keys(properties).some((field) => field.toLowerCase() === name.toLowerCase()),
    )
    .map(([name]) => name);
  let text = JSON.stringify(document);
  for (const name of same)
    text = text.replaceAll(`"#/components/schemas/${name}"`, `"#/components/schemas/${name}Answer"`);
  const made = JSON.parse(text);
  for (const name of same) {
    made.components.schemas[`${name}Answer`] = made.components.schemas[name];
    delete made.components.schemas[name];
  }
  return made;
}
