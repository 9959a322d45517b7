// Says what linters and the TypeScript compiler make of an OpenAPI document, as JSON. Reads the document as it was served,
// and code of users by name, as JSON from standard input. A process of its own: inside of jest the same takes three times
// as long.
import 'reflect-metadata';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { clientTypes } from './client-types.mjs';

const OPTIONS = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  // The compiler's own declarations take longer than ours.
  skipDefaultLibCheck: true,
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  types: [],
};
const IMPORTS = `import type { components, operations } from './api';\ntype Schemas = components['schemas'];\n`;

/** What Redocly recommends, its warnings taken for errors. */
async function redocly(document) {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: '/openapi.json', config });
  return problems.map(({ ruleId, location, message }) => `${ruleId} at ${location[0]?.pointer}: ${message}`);
}

/**
 * What Spectral recommends, its hints included. That examples of bodies and answers fit their schemas is found by Redocly,
 * by the compiler and by test/acceptance/openapi.spec.ts: a fourth look takes 5 s of processor.
 */
async function spectral(document) {
  const linter = new spectralCore.Spectral();
  const rules = { 'oas3-valid-media-example': 'off' };
  linter.setRuleset({ extends: [[spectralRulesets.oas, 'recommended']], rules });
  const problems = await linter.run(withSharedErrorsOnce(document));
  return problems.map(({ code, path, message }) => `${code} at ${path.join('/')}: ${message}`);
}

/**
 * The document with each error that operations share at the first of them only. Spectral follows every reference, and
 * would hold the same examples against the same schemas some 400 times, which takes 4 s of processor.
 */
function withSharedErrorsOnce(document) {
  const seen = new Set();
  return JSON.parse(JSON.stringify(document), (name, value) => {
    if (name !== 'responses' || Object.values(value).every(({ $ref }) => $ref === undefined)) return value;
    const isNew = ({ $ref }) => $ref === undefined || (!seen.has($ref) && seen.add($ref));
    return Object.fromEntries(Object.entries(value).filter(([, response]) => isNew(response)));
  });
}

/** Every example of the document by its place, as a value of the type that stands for that place. */
function examplesOf(document) {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  return Object.fromEntries(
    operations.flatMap(({ operationId, requestBody, responses }) => {
      // A body that may be left out is no body, too.
      const typed = (place, value) =>
        `const example: NonNullable<operations['${operationId}']${place}>['content']['application/json'] = ${JSON.stringify(value)};`;
      const bodies = Object.entries(requestBody?.content['application/json'].examples ?? {});
      return [
        ...bodies.map(([name, { value }]) => [`${operationId} body ${name}`, typed(`['requestBody']`, value)]),
        ...Object.entries(responses).flatMap(([status, { content }]) => {
          const example = content?.['application/json']?.example;
          return example === undefined
            ? []
            : [[`${operationId} ${status}`, typed(`['responses'][${status}]`, example)]];
        }),
      ];
    }),
  );
}

/** What the compiler finds wrong with code that uses the generated types, by name; under `api` with the types themselves. */
async function compiled(document, snippets) {
  const folder = mkdtempSync(join(tmpdir(), 'assent-types-'));
  const write = (name, content) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  try {
    const files = {
      api: write('api.ts', astToString(await openapiTS(JSON.stringify(document)))),
      ...Object.fromEntries(
        Object.entries(snippets).map(([name, code], i) => [name, write(`${i}.ts`, `${IMPORTS}${code}\nexport {};`)]),
      ),
    };
    const program = ts.createProgram(Object.values(files), OPTIONS);
    const faultsIn = (file) => {
      const source = program.getSourceFile(file);
      return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
        ({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'),
      );
    };
    return Object.fromEntries(Object.entries(files).map(([name, file]) => [name, faultsIn(file)]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const { document, snippets } = await json(process.stdin);
const broken = {
  ...document,
  components: {},
  paths: { '/v1/consent': { post: { ...document.paths['/v1/consent'].post } } },
};
delete broken.paths['/v1/consent'].post.security;
const examples = examplesOf(document);
const faults = await compiled(document, { ...snippets, ...examples });
console.log(
  JSON.stringify({
    redocly: await redocly(document),
    spectral: await spectral(document),
    broken: { redocly: await redocly(broken), spectral: await spectral(broken) },
    faults,
    examples: Object.keys(examples),
    clientTypes: await clientTypes(),
  }),
);
