import 'reflect-metadata';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { openApiDocument } from '../../libs/roles/openapi.js';
import type { ServedDocument } from '../support/openapi.js';

/*
 * What users of openapi-typescript get out of the document, with its default settings: their code, type checked.
 */

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  types: [],
};
const IMPORTS = `import type { components, operations } from './api';\ntype Schemas = components['schemas'];\n`;

/** Code that users write, by what it shows. */
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

const document = openApiDocument('https://consent.shop.test');
const operations = Object.values((document as unknown as ServedDocument).paths).flatMap((methods) =>
  Object.values(methods),
);

/** Every example of the document, as a value of the type that stands for its place. */
const examples: [place: string, code: string][] = operations.flatMap(({ operationId, requestBody, responses }) => {
  const json = requestBody?.content['application/json'];
  const typed = (place: string, value: unknown): string =>
    `const example: operations['${operationId}']${place}['content']['application/json'] = ${JSON.stringify(value)};`;
  return [
    ...Object.entries(json?.examples ?? {}).map(([name, { value }]): [string, string] => [
      `${operationId} body ${name}`,
      typed(`['requestBody']`, value),
    ]),
    ...Object.entries(responses).flatMap(([status, { content }]): [string, string][] => {
      const example = content?.['application/json']?.example;
      return example === undefined ? [] : [[`${operationId} ${status}`, typed(`['responses'][${status}]`, example)]];
    }),
  ];
});

const snippets: [name: string, code: string][] = [
  ...Object.entries(FITS),
  ...Object.entries(DOES_NOT_FIT).map(([name, [code]]): [string, string] => [name, code]),
  ...examples,
];

let folder: string;
let faultsIn: (name: string) => string[];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assent-types-'));
  const write = (name: string, content: string): string => {
    const file = join(folder, name);
    writeFileSync(file, content);
    return file;
  };
  const api = write('api.ts', astToString(await openapiTS(JSON.stringify(document))));
  const files = snippets.map(([, code], i) => write(`${i}.ts`, `${IMPORTS}${code}\nexport {};`));
  const program = ts.createProgram([api, ...files], OPTIONS);
  const faults = (file: string): string[] => {
    const source = program.getSourceFile(file);
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      ({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'),
    );
  };
  expect(faults(api)).toEqual([]);
  faultsIn = (name) => faults(files[snippets.findIndex(([other]) => other === name)]!);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the types generated from the OpenAPI document', () => {
  test.each(Object.keys(FITS))('%s', (name) => expect(faultsIn(name)).toEqual([]));

  test.each(Object.entries(DOES_NOT_FIT))('refuse %s', (name, [, message]) =>
    expect(faultsIn(name).join('\n')).toMatch(message),
  );

  test('take every example', () => {
    expect(examples.length).toBeGreaterThan(60);
    expect(examples.flatMap(([name]) => faultsIn(name).map((fault) => `${name}: ${fault}`))).toEqual([]);
  });
});
