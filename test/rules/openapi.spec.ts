import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openApiDocument } from '../../libs/composition/openapi.js';
import type { ServedOperation } from '../support/openapi.js';
import { startWorld } from '../support/world.js';

/* What is made of the OpenAPI document by linters, and by users of openapi-typescript with its default settings. */

/** Code of users, by what it shows. `Schemas` are the types of the schemas. */
const FITS: Record<string, string> = {
  'what has a default may be left out of a request': `
    const decision: Schemas['RecordConsent'] = { subject: 'visitor_id:7f', purpose: 'analytics', decision: 'GRANTED' };
    const batch: Schemas['RecordBatch'] = { records: [decision] };
    const merge: Schemas['MergeSubjects'] = { sources: ['user_id:1'], target: 'user_id:2' };
    const erasure: Schemas['EraseSubject'] = {};`,
  'a free object is a map that takes and gives anything': `
    const facts: Schemas['RecordConsent']['metadata'] & object = { campaign: 'autumn', seen: 3, tags: ['a'] };
    const read = ({ metadata }: Schemas['Subject']): unknown => metadata['tier'];`,
  'purposes, channels and topics are maps by key': `
    const allowed = ({ purposes }: Schemas['ConsentState']): string[] =>
      Object.entries(purposes).flatMap(([key, { effective }]) => (effective === 'ALLOWED' ? [key] : []));
    const one = ({ purposes }: Schemas['ConsentState']): boolean => purposes['analytics']?.effective === 'ALLOWED';
    const mayMail = ({ channels }: Schemas['Preferences']): boolean =>
      channels['email']?.topics['news']?.sendable ?? false;`,
  'an enum of an answer has known values and takes those that come later': `
    const later: Schemas['PurposeState']['effectiveReason'] = 'A_REASON_OF_NEXT_YEAR';
    function told({ effectiveReason, source }: Schemas['PurposeState']): string {
      switch (effectiveReason) {
        case 'EXPLICIT': return 'asked';
        case 'NEVER_ASKED': return 'never asked';
        default: return effectiveReason.toLowerCase() + (source ?? '');
      }
    }`,
  'so has the code of an error': `
    function again({ code, hint }: Schemas['ErrorAnswer']): string | null {
      switch (code) {
        case 'rate_limited': case 'dependency_unavailable': return null;
        default: return code + ': ' + hint;
      }
    }`,
  'the lists of a preference hold texts': `
    const shown = ({ value }: Schemas['TypedField']): string =>
      Array.isArray(value) ? value.map((one) => one.toUpperCase()).join() : String(value);`,
  'an object is told by its constant': `
    const isRecord = ({ object }: Schemas['ConsentRecord']): 'consent_record' => object;`,
};

const DOES_NOT_FIT: Record<string, [code: string, message: RegExp]> = {
  'an unknown decision': [
    `const decision: Schemas['RecordConsent']['decision'] = 'GRANT';`,
    /'"GRANT"' is not assignable to type '"GRANTED" \| /,
  ],
  'a misspelled field': [
    `const decision: Schemas['RecordConsent'] = { subject: 'a:b', purpose: 'c', decision: 'DENIED', purposeVerson: 1 };`,
    /'purposeVerson' does not exist/,
  ],
  'a request without its subject': [
    `const decision: Schemas['RecordConsent'] = { purpose: 'analytics', decision: 'DENIED' };`,
    /Property 'subject' is missing/,
  ],
  'a purpose taken for granted': [
    `const read = ({ purposes }: Schemas['ConsentState']) => purposes['analytics'].effective;`,
    /possibly 'undefined'/,
  ],
};

interface Judged {
  redocly: string[];
  spectral: string[];
  /** What they say where something was broken on purpose. */
  broken: { redocly: string[]; spectral: string[] };
  /** By the name of the code or the place of the example. */
  faults: Record<string, string[]>;
  /** The places of all examples. */
  examples: string[];
  /** The generated files of the client library, by name. */
  clientTypes: Record<string, string>;
}

/** As a program of `dist` serves it, and its own address. */
let served: { document: ReturnType<typeof openApiDocument>; url: string };
let judged: Judged;
beforeAll(async () => {
  const world = await startWorld();
  served = { document: world.document as unknown as typeof served.document, url: world.url };
  await world.stop();
  const refused = Object.entries(DOES_NOT_FIT).map(([name, [code]]) => [name, code]);
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [fileURLToPath(new URL('../support/judge-openapi.mjs', import.meta.url))],
    {
      input: JSON.stringify({ document: served.document, snippets: { ...FITS, ...Object.fromEntries(refused) } }),
      encoding: 'utf8',
      maxBuffer: Infinity,
    },
  );
  if (status !== 0) throw new Error(stderr);
  judged = JSON.parse(stdout) as Judged;
});

/** What a generated method of an operation takes one by one: once with each form, whose fields it takes apart. */
function argumentsOf({ parameters = [], requestBody }: ServedOperation): string[][] {
  const forms = Object.entries(requestBody?.content ?? {}).filter(([type]) => /form/.test(type));
  const names = parameters.map(({ name }) => name);
  return [
    names,
    ...forms.map(([, { schema }]) => {
      const { $ref } = schema as { $ref: string };
      const form = served.document.components.schemas![$ref.split('/').at(-1)!]!;
      return [...names, ...Object.keys(form.properties as object)];
    }),
  ];
}

const repeated = (names: readonly string[]): string[] => names.filter((name, at) => names.indexOf(name) < at);

describe('the OpenAPI document, as it is served', () => {
  test('is what the modules say that the program was bundled of', () =>
    expect(served.document).toEqual(JSON.parse(JSON.stringify(openApiDocument(served.url)))));

  test('calls its schemas by names that are one in every language', () => {
    const names = Object.keys(served.document.components.schemas!);
    expect(names.filter((name) => !/^[A-Z][A-Za-z0-9]*$/.test(name))).toEqual([]);
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
  });

  test('gives no operation two arguments of one name, in path, query, headers or a form', () => {
    const twice = Object.values(served.document.paths)
      .flatMap((methods) => Object.values(methods) as unknown as ServedOperation[])
      .flatMap((operation) =>
        argumentsOf(operation).map((names) => `${operation.operationId}: ${repeated(names).join(', ')}`),
      );
    expect(twice.filter((found) => !found.endsWith(': '))).toEqual([]);
  });

  test('has no schema of an error but the two that all operations share', () => {
    const { responses } = served.document.components;
    const schemas = Object.values(responses!).flatMap(({ content }) =>
      Object.values(content as Record<string, { schema?: { $ref?: string } }>).flatMap(({ schema }) => schema ?? []),
    );
    expect(new Set(schemas.map((schema) => JSON.stringify(schema)))).toEqual(
      new Set(['ErrorAnswer', 'ErrorProblem'].map((name) => JSON.stringify({ $ref: `#/components/schemas/${name}` }))),
    );
    const inline = Object.entries(served.document.paths).flatMap(([path, methods]) =>
      Object.values(methods).flatMap((operation) =>
        Object.entries(operation.responses as Record<string, { $ref?: string }>).flatMap(([status, { $ref }]) =>
          Number(status) >= 400 && $ref === undefined ? [`${path} ${status}`] : [],
        ),
      ),
    );
    expect(inline).toEqual([]);
  });

  test('keeps the rules that Redocly recommends', () => expect(judged.redocly).toEqual([]));

  test('keeps the rules that Spectral recommends', () => expect(judged.spectral).toEqual([]));

  test('would be seen to break them', () => {
    expect(judged.broken.redocly).toContainEqual(expect.stringMatching(/^security-defined at /));
    expect(judged.broken.spectral).toContainEqual(expect.stringMatching(/^invalid-ref at /));
  });
});

describe('the types generated from the OpenAPI document', () => {
  test('are TypeScript', () => expect(judged.faults.api).toEqual([]));

  test.each(Object.keys(FITS))('%s', (name) => expect(judged.faults[name]).toEqual([]));

  test.each(Object.entries(DOES_NOT_FIT))('refuse %s', (name, [, message]) =>
    expect(judged.faults[name]!.join('\n')).toMatch(message),
  );

  test('take every example', () => {
    expect(judged.examples.length).toBeGreaterThan(60);
    expect(judged.examples.flatMap((name) => judged.faults[name]!.map((fault) => `${name}: ${fault}`))).toEqual([]);
  });
});

test('the types of the client library and of the console are those of the service; `npm run client:types` writes them anew', () => {
  const root = new URL('../../', import.meta.url);
  const generated = 'libs/client/generated';
  expect(readdirSync(new URL(generated, root)).map((name) => `${generated}/${name}`)).toEqual(
    Object.keys(judged.clientTypes).filter((name) => name.startsWith(generated)),
  );
  for (const [name, text] of Object.entries(judged.clientTypes))
    expect(readFileSync(new URL(name, root), 'utf8') === text ? name : `${name} is stale`).toBe(name);
});
