import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import {
  Any,
  compile,
  Flag,
  FreeObject,
  ListOf,
  MapOf,
  Nested,
  Numeric,
  OneOf,
  schemaOf,
  Text,
  Timestamp,
  validateDeclared,
  Whole,
} from './fields.js';
import { FORMATS } from './text-rules.js';
import { ODD } from '../../../test/support/odd-values.js';
import { processorMs } from '../../../test/support/timing.js';

class Place {
  @Text({
    description: 'ISO 3166-1 country.',
    example: 'DE',
    maxLength: 2,
    minLength: 2,
    pattern: '^[A-Z]{2}$',
    patternHint: 'two upper-case letters',
  })
  country!: string;
  @Text({ description: 'Region.', maxLength: 10, optional: true, nullable: true })
  region?: string | null;
}
class Signals {
  @Flag({ description: 'Global Privacy Control.', optional: true })
  gpc?: boolean;
}
class Decision {
  @Text({ description: 'Purpose key.', example: 'analytics', maxLength: 20, pattern: '^[a-z][a-z_]*$' })
  purpose!: string;
  @OneOf(['GRANTED', 'DENIED'], { description: 'Decision.', example: 'GRANTED' })
  decision!: string;
  @Whole({ description: 'Version.', min: 1, max: 99, optional: true, nullable: true })
  version?: number | null;
  @Numeric({ description: 'Score.', min: 0, max: 1, optional: true })
  score?: number;
  @Timestamp({ description: 'When.', optional: true })
  givenAt?: string;
  @Nested(() => Place, { description: 'Where.', optional: true, nullable: true })
  place?: Place | null;
  @Nested(() => Signals, { description: 'Signals.', optional: true })
  signals?: Signals;
  @ListOf(() => 'string', { description: 'Tags.', maxItems: 3, optional: true, of: { maxLength: 5 } })
  tags?: string[];
  @FreeObject({ description: 'Metadata.', maxKeys: 3, maxBytes: 60, depth: 3, optional: true })
  metadata?: object;
  @Any({ description: 'Value.', types: ['string', 'boolean', 'null', 'array'], optional: true })
  value?: unknown;
  @Text({ description: 'Site.', maxLength: 60, format: 'uri', optional: true })
  url?: string;
  @MapOf(() => Signals, {
    description: 'Per purpose.',
    maxKeys: 2,
    keys: { pattern: '^[a-z_]+$', patternHint: 'a purpose key' },
    optional: true,
  })
  purposes?: Record<string, Signals>;
  @MapOf(() => 'string', { description: 'Texts.', maxKeys: 2, of: { maxLength: 4 }, optional: true })
  texts?: Record<string, string>;
}
class Batch {
  @ListOf(() => Decision, { description: 'Records.', minItems: 1, maxItems: 4 })
  records!: Decision[];
  @ListOf(() => 'integer', { description: 'Numbers.', maxItems: 2, optional: true, nullable: true })
  numbers?: number[] | null;
}
class Special extends Decision {
  @Text({ description: 'Key.', maxLength: 5, minLength: 0, optional: true })
  idempotencyKey?: string;
}

const good = { purpose: 'ads', decision: 'GRANTED' };
const json = (text: string): unknown => JSON.parse(text);
const corpus = (): unknown[] => [
  ...ODD,
  good,
  { records: [good] },
  ...[
    'purpose',
    'decision',
    'version',
    'score',
    'givenAt',
    'place',
    'signals',
    'tags',
    'metadata',
    'value',
    'url',
    'purposes',
    'texts',
    'purpos',
    'idempotencyKey',
    'toString',
    'prototype',
  ].flatMap((name) => ODD.map((value) => ({ ...good, [name]: value }))),
  json('{"purpose":"ads","decision":"GRANTED","__proto__":{"admin":true}}'),
  json('{"purpose":"ads","decision":"GRANTED","constructor":{"prototype":{"admin":true}}}'),
];

const paths = (issues: { path: string }[]): string[] => [...new Set(issues.map((issue) => issue.path))].sort();

describe('a declared contract', () => {
  it('is judged alike by the compiled schema and by class-validator, over one corpus', () => {
    for (const contract of [Place, Signals, Decision, Special, Batch]) {
      for (const value of corpus()) {
        expect({ value, paths: paths(compile(contract)(value)) }).toEqual({
          value,
          paths: paths(validateDeclared(contract, value)),
        });
      }
    }
    for (const value of corpus()) {
      for (const batch of [{ records: [good, value] }, { records: value, numbers: value }]) {
        expect({ batch, paths: paths(compile(Batch)(batch)) }).toEqual({
          batch,
          paths: paths(validateDeclared(Batch, batch)),
        });
      }
    }
    expect(({} as Record<string, unknown>).admin).toBeUndefined();
    expect(({} as Record<string, unknown>).gpc).toBeUndefined();
  });

  it('is judged alike for arbitrary values in arbitrary fields', () => {
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        fc.constantFrom(...ODD),
        fc.string(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.array(tie('any'), { maxLength: 4 }),
      ),
    })).any;
    const record = fc.record(
      {
        purpose: fc.oneof(fc.constant('ads'), value),
        decision: fc.oneof(fc.constant('GRANTED'), value),
        version: value,
        place: value,
        tags: value,
        metadata: value,
        value,
        purposes: value,
        [`extra`]: value,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(record, { maxLength: 2 }), (records) => {
        const [one, other] = [compile(Batch)({ records }), validateDeclared(Batch, { records })];
        // Both stop at twenty, each in its own order: beyond that only the verdict can be compared.
        if (one.length < 20 && other.length < 20) expect(paths(one)).toEqual(paths(other));
        else expect([one.length > 0, other.length > 0]).toEqual([true, true]);
      }),
      { numRuns: 300 },
    );
  });

  it('names the path of each fault and a near name for a typo, and never repeats a value', () => {
    const issues = compile(Batch)({
      records: [good, { purpos: 'secret-value', decision: 'secret-value', metadata: { a: { b: '\u0000' } } }],
    });
    expect(issues).toEqual([
      { path: 'records[1].purpose', message: 'is required' },
      { path: 'records[1].decision', message: 'must be one of GRANTED, DENIED' },
      { path: 'records[1].metadata.a.b', message: 'must not hold the character NUL' },
      { path: 'records[1].purpos', message: 'is not a known field; did you mean "purpose"?' },
    ]);
    expect(JSON.stringify(issues)).not.toContain('secret-value');
  });

  it('stops at twenty issues however hostile the body', () => {
    const unknown = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`k${i}`, i]));
    const cost = processorMs(() => {
      expect(compile(Decision)({ ...unknown })).toHaveLength(20);
      expect(compile(Batch)({ records: Array.from({ length: 200_000 }, () => ({})) })).toEqual([
        { path: 'records', message: 'must hold at most 4 items' },
      ]);
    });
    expect(cost).toBeLessThan(2000);
  });

  it('publishes plain JSON Schema that any validator reads', () => {
    const schema = schemaOf(Batch);
    expect(JSON.stringify(schema)).not.toContain('"x-');
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
    for (const [name, validate] of Object.entries(FORMATS)) ajv.addFormat(name, validate);
    const check = ajv.compile(schema);
    expect(check({ records: [good] })).toBe(true);
    expect(check({ records: [{ ...good, nope: 1 }] })).toBe(false);
    expect(schema).toMatchObject({
      $defs: {
        Decision: {
          additionalProperties: false,
          required: ['purpose', 'decision'],
          properties: { version: { type: ['integer', 'null'], minimum: 1, maximum: 99 } },
        },
      },
    });
  });
});
