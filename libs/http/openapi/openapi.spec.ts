import { runInNewContext } from 'node:vm';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { ErrorAnswer } from '../errors/error-answer.js';
import { Flag, FreeObject, ListOf, MapOf, Nested, OneOf, Text, Timestamp, Whole } from '../contract/fields.js';
import { ListQuery } from '../list.js';
import { buildOpenApi, type OpenApiDocument } from './openapi.js';
import type { CodeSample } from './openapi-samples.js';
import type { DocumentedOperation } from '../contract/operation.js';
import { FORMATS } from '../contract/text-rules.js';

class JurisdictionDto {
  @Text({ description: 'ISO 3166-1 country.', maxLength: 2, example: 'DE' })
  country!: string;
  @OneOf(['DETECTED', 'DECLARED'], {
    description: 'Who says so.',
    example: 'DETECTED',
    default: 'DECLARED',
    optional: true,
  })
  source?: string;
}
class RecordBodyDto {
  @Text({ description: 'Subject reference.', maxLength: 800, example: 'visitor_id:6f1c5f0e6b0a5d3c9a5e7c1b2d4e8f90' })
  subject!: string;
  @Nested(() => JurisdictionDto, { description: 'Where.', optional: true, nullable: true })
  jurisdiction?: JurisdictionDto | null;
  @Timestamp({ description: 'When.', optional: true })
  givenAt?: string;
  @FreeObject({ description: 'Your own.', maxKeys: 2, maxBytes: 100, example: { a: 1 }, optional: true })
  metadata?: Record<string, unknown>;
}
class RecordAnswerDto {
  @OneOf(['record'], { description: 'What this is.', example: 'record' })
  object!: string;
  @Nested(() => JurisdictionDto, { description: 'Where.' })
  jurisdiction!: JurisdictionDto;
  @Text({ description: 'Id.', maxLength: 30, example: 'rec_01KAJ5W7QF2M3N4P5R6S7T8V9W' })
  id!: string;
  @Whole({ description: 'Sequence.', example: 3 })
  sequence!: number;
}
class PurposeState {
  @OneOf(['GRANTED', 'DENIED'], { description: 'State.', example: 'GRANTED' })
  state!: string;
  @OneOf(['API', 'IMPORT'], { description: 'Who asserts it.', example: null, nullable: true })
  source!: string | null;
}
class StateAnswer {
  @MapOf(() => PurposeState, {
    description: 'By purpose.',
    maxKeys: 500,
    example: { analytics: { state: 'GRANTED', source: null } },
  })
  purposes!: Record<string, PurposeState>;
}
class StateQuery extends ListQuery {
  @ListOf(() => 'string', { description: 'Purposes.', maxItems: 50, optional: true, example: ['analytics'] })
  purpose?: string[];
  @Flag({ description: 'Fold the log.', optional: true, example: true, default: false })
  fresh?: boolean;
}

const operations: DocumentedOperation[] = [
  {
    id: 'recordConsent',
    method: 'POST',
    path: '/v1/consent',
    keys: ['pk', 'sk'],
    scope: 'consent:write',
    subject: { in: 'body' },
    bodyLimit: 65_536,
    tag: 'Consent',
    summary: 'Record a decision',
    description: 'One decision of one subject on one purpose.',
    headers: [
      { name: 'Idempotency-Key', description: 'Makes a retry harmless.', required: false, example: '0d5f8b9e' },
    ],
    body: {
      contract: RecordBodyDto,
      examples: {
        anonymous: { subject: 'visitor_id:6f1c5f0e6b0a5d3c9a5e7c1b2d4e8f90', jurisdiction: { country: 'DE' } },
      },
    },
    answers: [
      {
        status: 201,
        description: 'Recorded.',
        contract: RecordAnswerDto,
        headers: { 'Idempotent-Replayed': '' },
        example: {
          object: 'record',
          jurisdiction: { country: 'DE' },
          id: 'rec_01KAJ5W7QF2M3N4P5R6S7T8V9W',
          sequence: 3,
        },
      },
    ],
    refusals: ['purpose_unknown', 'decision_not_allowed'],
  },
  {
    id: 'getConsentState',
    method: 'GET',
    path: '/v1/subjects/{ref}/consent',
    keys: ['pk', 'sk'],
    scope: 'consent:read',
    tag: 'Consent',
    summary: 'Read the state',
    description: 'Of all purposes, or of some.',
    query: StateQuery,
    answers: [
      {
        status: 200,
        description: 'The state.',
        contract: StateAnswer,
        headers: { ETag: '' },
        example: { purposes: { analytics: { state: 'GRANTED', source: null } } },
      },
      { status: 304, description: 'Nothing changed.' },
    ],
    refusals: [],
  },
  {
    id: 'livez',
    method: 'GET',
    path: '/livez',
    keys: ['none'],
    scope: null,
    limited: false,
    tag: 'Probes',
    summary: 'Alive',
    description: 'Whether the process runs.',
    answers: [{ status: 200, description: 'Alive.', mediaType: 'text/plain' }],
    refusals: [],
  },
];

const build = (more: DocumentedOperation[] = []): OpenApiDocument =>
  buildOpenApi({
    operations: [...operations, ...more],
    headings: { Consent: 'Who agreed to what.' },
    publicUrl: 'https://consent.example',
    version: '1.2.3',
  });

/** Every object of the document with the JSON pointer to it. */
function* walk(node: unknown, at = '#'): Generator<[string, Record<string, unknown>]> {
  if (typeof node !== 'object' || node === null) return;
  if (!Array.isArray(node)) yield [at, node as Record<string, unknown>];
  for (const [key, value] of Object.entries(node))
    yield* walk(value, `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
}

const resolve = (document: unknown, ref: string): unknown =>
  ref
    .slice(2)
    .split('/')
    .reduce<unknown>(
      (node, part) => (node as Record<string, unknown> | undefined)?.[part.replaceAll('~1', '/').replaceAll('~0', '~')],
      document,
    );

const ajvFor = (document: OpenApiDocument): Ajv2020 => {
  const ajv = new Ajv2020({ strict: false });
  for (const [name, validate] of Object.entries(FORMATS)) ajv.addFormat(name, validate);
  ajv.addSchema({ $id: 'https://doc.example/openapi', ...document });
  return ajv;
};

describe('the OpenAPI document', () => {
  const document = build();

  it('resolves every reference within itself', () => {
    let references = 0;
    for (const [at, node] of walk(document)) {
      if (typeof node.$ref !== 'string') continue;
      references++;
      expect({ at, found: resolve(document, node.$ref) !== undefined }).toEqual({ at, found: true });
    }
    expect(references).toBeGreaterThan(50);
  });

  it('names each operation once and declares each path parameter', () => {
    const ids = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map((operation) => operation.operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const operation of Object.values(methods)) {
        const declared = ((operation.parameters ?? []) as { name: string; in: string }[])
          .filter((parameter) => parameter.in === 'path')
          .map((parameter) => `{${parameter.name}}`);
        expect(declared).toEqual(path.match(/\{\w+\}/g) ?? []);
      }
    }
  });

  it('gives examples that fit their schemas', () => {
    const ajv = ajvFor(document);
    let checked = 0;
    for (const [at, node] of walk(document)) {
      const schema = node.schema as object | undefined;
      if (!schema) continue;
      const examples = [
        ...('example' in node ? [node.example] : []),
        ...Object.values((node.examples ?? {}) as Record<string, { value?: unknown; $ref?: string }>).map((example) =>
          example.$ref ? (resolve(document, example.$ref) as { value: unknown }).value : example.value,
        ),
      ];
      const pointer = `https://doc.example/openapi#${at.slice(1).split('/').map(encodeURIComponent).join('/')}/schema`;
      for (const example of examples) {
        checked++;
        const fits = ajv.validate({ $ref: pointer }, example);
        expect({ at, errors: fits ? null : ajv.errors }).toEqual({ at, errors: null });
      }
    }
    expect(checked).toBeGreaterThan(30);
  });

  it('gives field examples that fit their fields', () => {
    const ajv = ajvFor(document);
    for (const [name, schema] of Object.entries(document.components.schemas!)) {
      for (const [field, { examples = [] }] of Object.entries(
        schema.properties as Record<string, { examples?: unknown[] }>,
      )) {
        for (const example of examples)
          expect([
            name,
            field,
            ajv.validate(
              { $ref: `https://doc.example/openapi#/components/schemas/${name}/properties/${field}` },
              example,
            ),
          ]).toEqual([name, field, true]);
      }
    }
  });

  it('lists every error an operation can answer under its status', () => {
    const responses = document.paths['/v1/consent']!.post!.responses as Record<string, { $ref: string }>;
    const codes = (status: string): unknown => {
      const { description, content } = resolve(document, responses[status]!.$ref) as {
        description: string;
        content: Record<string, { schema: object; examples: Record<string, { $ref: string }> }>;
      };
      const named = Object.keys(content['application/json']!.examples);
      expect([...description.matchAll(/^`(\w+)`: /gm)].map(([, code]) => code)).toEqual(named);
      return named;
    };
    expect(Object.keys(responses)).toEqual([
      '201',
      '400',
      '401',
      '403',
      '406',
      '409',
      '413',
      '415',
      '422',
      '429',
      '500',
      '503',
    ]);
    expect(codes('422')).toEqual(
      expect.arrayContaining([
        'validation_failed',
        'purpose_unknown',
        'decision_not_allowed',
        'idempotency_key_reused',
      ]),
    );
    expect(codes('403')).toEqual(
      expect.arrayContaining(['identity_token_required', 'identity_token_subject_mismatch']),
    );
    expect(codes('401')).toEqual([
      'api_key_missing',
      'api_key_invalid',
      'api_key_expired',
      'identity_token_invalid',
      'identity_token_expired',
    ]);
    expect(Object.keys(document.paths['/livez']!.get!.responses as object)).toEqual(['200', '406', '500', '503']);
  });

  const fieldsOf = (name: string) =>
    document.components.schemas![name]!.properties as Record<string, Record<string, unknown>>;

  it('keeps bodies closed and answers open, to new fields and new values', () => {
    expect(document.components.schemas!.RecordBody).toMatchObject({ additionalProperties: false });
    expect(document.components.schemas!.RecordAnswer).not.toHaveProperty('additionalProperties');
    expect(fieldsOf('PurposeState').state).toMatchObject({
      anyOf: [{ type: 'string', enum: ['GRANTED', 'DENIED'] }, { type: 'string' }],
    });
    expect(fieldsOf('PurposeState').source!.anyOf).toEqual([
      { type: 'string', enum: ['API', 'IMPORT'] },
      { type: 'string' },
      { type: 'null' },
    ]);
    expect(fieldsOf('RecordAnswer').object).toMatchObject({ type: 'string', enum: ['record'] });
  });

  it('publishes what stands in bodies and answers as two schemas, since only one of them is closed', () => {
    expect(fieldsOf('RecordBody').jurisdiction!.anyOf).toEqual([
      { $ref: '#/components/schemas/JurisdictionInput' },
      { type: 'null' },
    ]);
    expect(fieldsOf('RecordAnswer').jurisdiction).toMatchObject({ $ref: '#/components/schemas/Jurisdiction' });
    expect(document.components.schemas!.JurisdictionInput).toMatchObject({ additionalProperties: false });
    expect(fieldsOf('JurisdictionInput').source!.enum).toEqual(['DETECTED', 'DECLARED']);
    expect(document.components.schemas!.Jurisdiction).not.toHaveProperty('additionalProperties');
    expect(fieldsOf('Jurisdiction').source).toHaveProperty('anyOf');
  });

  it('says defaults of bodies in words, and what may hold anything is a map', () => {
    expect(fieldsOf('JurisdictionInput').source!.description).toBe('Who says so. Default: `DECLARED`.');
    expect(fieldsOf('JurisdictionInput').source).not.toHaveProperty('default');
    expect(fieldsOf('RecordBody').metadata).toMatchObject({ type: 'object', additionalProperties: true });
  });

  it('calls schemas by names for users, and describes its headings', () => {
    expect(Object.keys(document.components.schemas!).filter((name) => name.endsWith('Dto'))).toEqual([]);
    expect(document.components.schemas).toHaveProperty(ErrorAnswer.name);
    expect(document.tags).toEqual([{ name: 'Consent', description: 'Who agreed to what.' }, { name: 'Probes' }]);
  });

  it('says which keys an operation takes', () => {
    expect(document.paths['/v1/subjects/{ref}/consent']!.get!.security).toEqual([
      { publicKey: [] },
      { publicKey: [], identityToken: [] },
      { secretKey: [] },
    ]);
    expect(document.paths['/v1/subjects/{ref}/consent']!.get!.description).toContain('Scope: `consent:read`.');
    expect(document.paths['/livez']!.get!.security).toEqual([]);
    expect(JSON.stringify(document).replaceAll('"x-codeSamples"', '')).not.toContain('"x-');
  });

  const samplesOf = (built: OpenApiDocument, path: string, method: string): Record<string, string> =>
    Object.fromEntries(
      (built.paths[path]![method]!['x-codeSamples'] as CodeSample[]).map(({ label, source }) => [label, source]),
    );

  it('shows each operation as a call in curl, by a server, and in JavaScript, by a page', () => {
    expect(samplesOf(document, '/v1/consent', 'post')).toEqual({
      curl: `curl -sS 'https://consent.example/v1/consent' \\
  -H "Authorization: Bearer $SK" \\
  -H "Idempotency-Key: $(openssl rand -hex 16)" \\
  -H 'Content-Type: application/json' \\
  -d '{
  "subject": "visitor_id:6f1c5f0e6b0a5d3c9a5e7c1b2d4e8f90",
  "jurisdiction": {
    "country": "DE"
  }
}'`,
      JavaScript: `const response = await fetch('https://consent.example/v1/consent', {
  method: 'POST',
  headers: {
    Authorization: \`Bearer \${process.env.PK}\`,
    'Idempotency-Key': crypto.randomUUID(),
    'Content-Type': 'application/json',
  },
  body: JSON.stringify({
    subject: 'visitor_id:6f1c5f0e6b0a5d3c9a5e7c1b2d4e8f90',
    jurisdiction: { country: 'DE' },
  }),
});
const answer = await response.json();
if (!response.ok) throw new Error(\`\${answer.code}: \${answer.hint}\`);
console.log(answer);`,
    });
    expect(samplesOf(document, '/livez', 'get')).toEqual({
      curl: `curl -sS 'https://consent.example/livez'`,
      JavaScript: `const response = await fetch('https://consent.example/livez');
const answer = await response.text();
if (!response.ok) throw new Error(answer);
console.log(answer);`,
    });
  });

  it('writes quotes, line breaks and odd names in samples as their language reads them', () => {
    const odd = { "it's": `a 'b' "c"\n\\`, plain: [], list: [1, null, {}] };
    const body = { contract: RecordBodyDto, examples: { odd } };
    const { curl, JavaScript } = samplesOf(
      build([{ ...operations[0]!, id: 'odd', path: '/v1/odd', body }]),
      '/v1/odd',
      'post',
    );
    const sent = /-d ('[\s\S]*')$/.exec(curl!)![1]!;
    expect(JSON.parse(sent.slice(1, -1).replaceAll(`'\\''`, `'`))).toEqual(odd);
    const literal = /JSON.stringify\(([\s\S]*?)\),\n/.exec(JavaScript!)![1]!;
    expect(runInNewContext(`JSON.stringify(${literal})`)).toBe(JSON.stringify(odd));
  });

  it('has one schema of a body for all errors, and one for all problems', () => {
    const schemas = Object.values(document.components.responses!).flatMap(({ content }) =>
      Object.entries(content as Record<string, { schema?: unknown }>).map(([type, { schema }]) => [type, schema]),
    );
    for (const [type, schema] of schemas)
      expect([type, schema]).toEqual([
        type,
        { $ref: `#/components/schemas/${type === 'application/json' ? 'ErrorAnswer' : 'ErrorProblem'}` },
      ]);
    expect(schemas.length).toBeGreaterThan(20);
  });

  it('leaves out of a form what the address has a parameter for', () => {
    class LinkQuery {
      @Text({ description: 'Token.', maxLength: 30, example: 't', optional: true }) token?: string;
    }
    class LinkDto extends LinkQuery {
      @Text({ description: 'Answer.', maxLength: 30, example: 'yes' }) answer!: string;
    }
    const body = { contract: LinkDto, examples: { whole: { token: 't', answer: 'yes' }, short: { answer: 'yes' } } };
    const linked = build([
      { ...operations[2]!, id: 'link', method: 'POST', path: '/l', byLink: true, query: LinkQuery, body },
    ]);
    const { content } = linked.paths['/l']!.post!.requestBody as {
      content: Record<string, { schema: { $ref: string }; examples: object }>;
    };
    expect(content['application/json']).toMatchObject({
      schema: { $ref: '#/components/schemas/Link' },
      examples: { whole: {}, short: {} },
    });
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data'])
      expect(content[type]).toEqual({
        schema: { $ref: '#/components/schemas/LinkForm' },
        examples: { short: { value: { answer: 'yes' } } },
      });
    expect(Object.keys(linked.components.schemas!.Link!.properties as object)).toEqual(['token', 'answer']);
    expect(linked.components.schemas!.LinkForm).toMatchObject({ required: ['answer'], additionalProperties: false });
    expect(Object.keys(linked.components.schemas!.LinkForm!.properties as object)).toEqual(['answer']);
  });

  it('refuses a contract whose class a bundler has renamed, since something else has its name', () => {
    const { SiteDto$1: renamed } = { SiteDto$1: class {} };
    expect(() => Text({ description: 'Id.', maxLength: 30, example: 'x' })(renamed.prototype, 'id')).toThrow(
      'The class SiteDto$1 declares fields, and something else is called SiteDto, too.',
    );
  });

  it('refuses two contracts of one name', () => {
    class JurisdictionInput {
      @Text({ description: 'Id.', maxLength: 30, example: 'x' }) id!: string;
    }
    const answers = [{ status: 200, description: 'One.', contract: JurisdictionInput, example: { id: 'x' } }];
    expect(() => build([{ ...operations[2]!, path: '/v1/x', answers }])).toThrow(
      'two contracts are published as JurisdictionInput',
    );
  });

  it('refuses to be built where table and documentation do not fit', () => {
    expect(() => build([operations[0]!])).toThrow('documented twice');
    expect(() => build([{ ...operations[0]!, path: '/v1/x', refusals: ['nope'] }])).toThrow(
      'nope, which has no status',
    );
    expect(() => build([{ ...operations[2]!, path: '/v1/{thing}' }])).toThrow(
      'does not describe its path parameter thing',
    );
  });
});
