// Writes what the client library and the console say in types: the parts of the OpenAPI document that they use, and the
// catalogue of webhook events. `npm run client:types` writes the files; test/rules/openapi.spec.ts says when they are stale.
import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import { openApiDocument } from '../../dist/libs/composition/openapi.js';
import { COMPOSITION } from '../../dist/libs/composition/contexts.js';
import { eventCatalogue } from '../../dist/libs/webhooks/types/event-catalogue.js';

const ROOT = join(import.meta.dirname, '../..');
const HEAD = '// Written by `npm run client:types` from what the service serves. Not to be edited.\n\n';

/** What the client calls. */
const OPERATIONS = [
  'addIdentifier',
  'createPortalToken',
  'createSubject',
  'getBanner',
  'getBannerManifest',
  'getConsentHistory',
  'getConsentState',
  'getGoogleConsentMode',
  'getGppString',
  'getKeySet',
  'getPolicy',
  'getPreferenceHistory',
  'getPreferenceTemplate',
  'getPreferences',
  'getPurpose',
  'getReceipt',
  'getTcString',
  'listPurposes',
  'listWebhookEvents',
  'mergeSubjects',
  'openDataRequest',
  'recordConsent',
  'recordConsentBatch',
  'requestConfirmation',
  'setPreferences',
];

/** The operations with what is sent and answered, without headers, errors and examples. */
function usedPart({ openapi, info, paths, components }, ids, places) {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const used = {};
  for (const id of ids) {
    const found = operations.find(({ operation }) => operation.operationId === id);
    if (!found) throw new Error(`the service has no operation ${id}`);
    const { operationId, parameters = [], requestBody, responses } = found.operation;
    (used[found.path] ??= {})[found.method] = {
      operationId,
      parameters: parameters.filter((parameter) => places.includes(parameter.in)),
      ...(requestBody && { requestBody: { required: true, content: jsonOf(requestBody.content) } }),
      responses: Object.fromEntries(
        Object.entries(responses)
          .filter(([status]) => status < 300)
          .map(([status, { description, content }]) => [
            status,
            { description, ...(content && { content: jsonOf(content) }) },
          ]),
      ),
    };
  }
  return { openapi, info, paths: used, components: { schemas: reached(used, components.schemas) } };
}

const jsonOf = (content) =>
  Object.fromEntries(
    Object.entries(content)
      .filter(([type]) => /json$/.test(type))
      .map(([type, { schema }]) => [type, { schema }]),
  );

/** The schemas that something refers to, directly or by others. */
function reached(from, schemas, found = {}) {
  for (const [, name] of JSON.stringify(from).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    if (found[name]) continue;
    found[name] = schemas[name];
    reached(schemas[name], schemas, found);
  }
  return found;
}

/** The bodies of webhooks by their types. */
function webhookPart({ openapi, info }, events) {
  const schemas = {};
  for (const { type, schema } of events) {
    const {
      $defs,
      $schema: _,
      title: __,
      ...body
    } = JSON.parse(JSON.stringify(schema).replaceAll('#/$defs/', '#/components/schemas/'));
    Object.assign(schemas, $defs, { [type]: body });
  }
  return { openapi, info, paths: {}, components: { schemas } };
}

/** @param immutable whether lists and fields are readonly; the library that the console calls with cannot read such types. */
async function typesOf(document, immutable = true) {
  return astToString(await openapiTS(JSON.stringify(document), { immutable, alphabetize: true }));
}

/** Without the types of paths, which say the same as those of operations. */
const withoutPaths = (text) => text.slice(text.indexOf('export interface components'));

/** Without descriptions, which only people read, in `/docs`. */
const bare = (document) =>
  JSON.parse(
    JSON.stringify(document, (name, value) =>
      typeof value === 'string' && /^(description|summary)$/.test(name) ? undefined : value,
    ),
  );

/** Ids of what operators call. */
const ofOperators = ({ paths }) =>
  Object.entries(paths)
    .filter(([path]) => path.startsWith('/admin/v1/'))
    .flatMap(([, methods]) => Object.values(methods).map(({ operationId }) => operationId));

/** By the path of the file, what belongs into it. */
export async function clientTypes() {
  const document = openApiDocument('https://consent.example');
  const events = eventCatalogue(COMPOSITION.webhooks);
  const names = events.map(({ type }) => `  '${type}',\n`).join('');
  return {
    'apps/console/api/schema.d.ts': `${HEAD}${await typesOf(bare(usedPart(document, ofOperators(document), ['path', 'query'])), false)}`,
    'libs/client/generated/api.ts': `${HEAD}${withoutPaths(await typesOf(usedPart(document, OPERATIONS, ['query'])))}`,
    'libs/client/generated/webhook-events.ts': `${HEAD}${withoutPaths(await typesOf(webhookPart(document, events)))}
/** Every type of webhook event, by name. */
export const WEBHOOK_EVENTS = [\n${names}] as const;
`,
  };
}

if (process.argv[1] === import.meta.filename)
  for (const [name, text] of Object.entries(await clientTypes())) writeFileSync(join(ROOT, name), text);
