import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getMetadataStorage } from 'class-validator';
import { ODD } from '../../test/support/odd-values.js';
import { fieldsOf, isJsonObject, type Field, type JsonSchema } from '../http/contract/declared.js';
import { compile, definitionsOf, validateDeclared } from '../http/contract/fields.js';
import type { Contract } from '../http/contract/operation.js';
import { COMPOSITION } from './contexts.js';

/** In place of a value: leave it out. */
const GONE = Symbol('gone');
/** From here on a check stops, each in its own order: then only the verdict can be compared. */
const MOST_ISSUES = 20;
/** Put at every place of every body. */
const DEEP: readonly unknown[] = [null, '', 'a\u0000', 1, true, {}, [], [[]], GONE];
const TOO_MANY = Array.from({ length: 1_001 }, () => null);
/** Names that no contract declares: prototypes, and one that is nearly a field. */
const EXTRA = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'subjec', '', 'a.b', '\ud800'];

interface BodyContract {
  contract: Contract;
  examples: unknown[];
}

const BODIES: [name: string, body: BodyContract][] = [
  ...new Map(
    COMPOSITION.operations.documented.flatMap(({ body }) =>
      body
        ? [[body.contract.name, { contract: body.contract, examples: Object.values(body.examples ?? {}) }] as const]
        : [],
    ),
  ),
];

/** A value in which every field is there, the optional ones too, made from what the declarations give as examples. */
function wholeOf(contract: Contract): Record<string, unknown> {
  const definitions = definitionsOf([contract]);
  const sample = (schema: JsonSchema, depth: number): unknown => {
    const { examples, enum: values, type, items, additionalProperties, anyOf, $ref } = schema;
    if (typeof $ref === 'string') return objectOf(definitions[$ref.split('/').at(-1)!]!, depth + 1);
    if (Array.isArray(anyOf)) return sample(anyOf[0] as JsonSchema, depth);
    if (Array.isArray(examples)) return examples[0];
    if (Array.isArray(values)) return values[0];
    const [kind] = [type].flat();
    if (kind === 'array') return depth > 6 ? [] : [sample(items as JsonSchema, depth)];
    if (isJsonObject(additionalProperties)) return { key: sample(additionalProperties, depth) };
    return { object: {}, integer: 1, number: 1, boolean: true }[kind as string] ?? 'a';
  };
  const objectOf = ({ properties }: JsonSchema, depth: number): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(properties as Record<string, JsonSchema>).map(([name, schema]) => [name, sample(schema, depth)]),
    );
  return objectOf(definitions[contract.name]!, 0);
}

type Place = (string | number)[];

/** Where something can be changed: every member of every object and list. Of alike items of a list one is enough. */
function placesIn(value: unknown, at: Place = []): Place[] {
  if (Array.isArray(value)) return value.length === 0 ? [] : [[...at, 0], ...placesIn(value[0], [...at, 0])];
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => [[...at, name], ...placesIn(inner, [...at, name])]);
}

/** The same with no more than the first item of each list: a fault in it is judged the same whatever stands beside it. */
function brief<V>(value: V): V {
  if (Array.isArray(value)) return value.slice(0, 1).map(brief) as V;
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, brief(inner)])) as V;
}

/** The same with another value at one place. A `__proto__` is a plain field, as a parsed body has it. */
function withAt(value: unknown, [head, ...rest]: Place, put: unknown): unknown {
  if (head === undefined) return put;
  if (Array.isArray(value))
    return value.flatMap((item: unknown, i) => {
      const next = i === head ? withAt(item, rest, put) : item;
      return next === GONE ? [] : [next];
    });
  const fields = { ...(value as Record<string, unknown>) };
  const next = withAt(Object.hasOwn(fields, head) ? fields[head] : undefined, rest, put);
  if (next === GONE) delete fields[head];
  else Object.defineProperty(fields, head, { value: next, enumerable: true, configurable: true, writable: true });
  return fields;
}

/** One contract by itself: each of its fields with everything odd, whether it must be there or not. */
function* fieldByField(contract: Contract): Generator<unknown> {
  yield* ODD;
  const whole = wholeOf(contract);
  const required = [...fieldsOf(contract).values()].filter(({ optional }) => !optional);
  const least = Object.fromEntries(required.map(({ name }) => [name, whole[name]]));
  for (const { name } of OWN.get(contract)!)
    for (const odd of [...ODD, TOO_MANY, GONE]) yield withAt(least, [name], odd);
  for (const name of EXTRA) yield withAt(least, [name], { admin: true });
}

/**
 * A body with a fault at one place, at every depth; but for places where it was tried before. Of the body's own members
 * only those stand beside it that must be there: a fault is judged the same whatever optional ones there are, and a
 * folder of a catalogue is long.
 */
function* placeByPlace(
  contract: Contract,
  body: Record<string, unknown>,
  tried: Map<Field, Set<string>>,
): Generator<unknown> {
  yield body;
  yield [body];
  const fields = fieldsOf(contract);
  for (const name of Object.keys(body)) {
    const beside = Object.entries(body).filter(([other]) => other === name || !fields.get(other)!.optional);
    const least = Object.fromEntries(beside);
    const declared = fields.get(name)!;
    const before = tried.get(declared) ?? new Set<string>();
    tried.set(declared, before);
    for (const at of [[name], ...placesIn(body[name], [name])]) {
      const there = at.reduce<unknown>((inner, next) => (inner as Record<string | number, unknown>)[next], body);
      const place = JSON.stringify([at, Array.isArray(there) ? 'list' : typeof there]);
      if (before.has(place)) continue;
      before.add(place);
      for (const odd of DEEP) yield withAt(least, at, odd);
      if (isJsonObject(there)) for (const extra of ['__proto__', 'extra']) yield withAt(least, [...at, extra], true);
      if (at.at(-1) === 0)
        for (const items of [[there, []], [[there]], [there, null, there], []])
          yield withAt(least, at.slice(0, -1), items);
    }
  }
}

/** A contract and all that it holds. */
function reachedFrom(contract: Contract, reached = new Set<Contract>()): Set<Contract> {
  if (reached.has(contract)) return reached;
  reached.add(contract);
  for (const { holds } of fieldsOf(contract).values()) if (holds) reachedFrom(holds(), reached);
  return reached;
}

/** What only one of the two refuses, or refuses for another place; a few are enough to find the fault. */
function differences(contract: Contract, corpus: Iterable<unknown>): unknown[] {
  const found: unknown[] = [];
  for (const value of corpus) {
    const [compiled, declared] = [compile(contract)(value), validateDeclared(contract, value)];
    const whole = compiled.length < MOST_ISSUES && declared.length < MOST_ISSUES;
    const [one, other] = [compiled, declared].map((issues) => (whole ? pathsOf(issues) : issues.length > 0));
    if (JSON.stringify(one) === JSON.stringify(other)) continue;
    found.push({
      value: JSON.stringify(value).slice(0, 300),
      compiled: compiled.slice(0, 5),
      declared: declared.slice(0, 5),
    });
    if (found.length === 5) break;
  }
  return found;
}

const pathsOf = (issues: readonly { path: string }[]): string[] => [...new Set(issues.map(({ path }) => path))].sort();

const HELD = [...new Set(BODIES.flatMap(([, { contract }]) => [...reachedFrom(contract)]))];
/** By contract, the fields to try there: what contracts inherit is one declaration, and is tried in the first of them. */
const OWN = new Map<Contract, Field[]>();
for (const contract of HELD) {
  const before = new Set([...OWN.values()].flat());
  OWN.set(
    contract,
    [...fieldsOf(contract).values()].filter((field) => !before.has(field)),
  );
}

/**
 * Whatever it judges, class-validator looks through the declarations of all classes for those that the class inherits.
 * They stay what they are, and there are a thousand classes: looked up once for each, all takes a third of the time.
 */
const storage = getMetadataStorage();
type LookUp = (typeof storage)['getTargetValidationMetadatas'];
beforeAll(() => {
  const known = new Map<unknown, ReturnType<LookUp>>();
  const lookUp: LookUp = storage.getTargetValidationMetadatas.bind(storage);
  storage.getTargetValidationMetadatas = (target, ...rest) => {
    const found = known.get(target) ?? lookUp(target, ...rest);
    known.set(target, found);
    return found;
  };
});
afterAll(() => void Reflect.deleteProperty(storage, 'getTargetValidationMetadatas'));

describe('class-validator and the compiled check judge alike', () => {
  it.each(HELD.map((contract) => [contract.name, contract] as const))('every field of %s', (_, contract) =>
    expect(differences(contract, fieldByField(contract))).toEqual([]),
  );

  // By declaration: bodies that inherit a field have it from the same one, which is tried once.
  const tried = new Map<Field, Set<string>>();
  it.each(BODIES)('%s as it is sent', (_, { contract, examples }) => {
    expect(examples).not.toEqual([]);
    for (const example of examples) expect(compile(contract)(example)).toEqual([]);
    const bodies = [wholeOf(contract), ...(examples as Record<string, unknown>[])];
    expect(differences(contract, bodies)).toEqual([]);
    for (const body of bodies) expect(differences(contract, placeByPlace(contract, brief(body), tried))).toEqual([]);
  });
});
