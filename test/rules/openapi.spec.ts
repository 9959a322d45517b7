import 'reflect-metadata';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';
import { openApiDocument } from '../../libs/roles/openapi.js';

/** What Redocly says about a document, its warnings taken for errors. */
async function redocly(document: object): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: '/openapi.json', config });
  return problems.map(({ ruleId, location, message }) => `${ruleId} at ${location[0]?.pointer}: ${message}`);
}

/** What Spectral says about a document, its hints included. */
async function spectral(document: object): Promise<string[]> {
  const linter = new spectralCore.Spectral();
  linter.setRuleset({ extends: [[spectralRulesets.oas as RulesetDefinition, 'recommended']] });
  const problems = await linter.run(document as Record<string, unknown>);
  return problems.map(({ code, path, message }) => `${code} at ${path.join('/')}: ${message}`);
}

describe('the OpenAPI document', () => {
  const document = openApiDocument('https://consent.shop.test');

  it('keeps the rules that Redocly recommends', async () => expect(await redocly(document)).toEqual([]));

  it('keeps the rules that Spectral recommends', async () => expect(await spectral(document)).toEqual([]));

  it('would be seen to break them', async () => {
    const { security: _, ...operation } = document.paths['/v1/consent']!.post!;
    const broken = { ...document, paths: { '/v1/consent': { post: operation } }, components: {} };
    expect(await redocly(broken)).toEqual(expect.arrayContaining([expect.stringMatching(/^security-defined at /)]));
    expect(await spectral(broken)).toEqual(expect.arrayContaining([expect.stringMatching(/^invalid-ref at /)]));
  });
});
