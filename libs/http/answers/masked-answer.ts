import { IDENTIFIER_KINDS, isCustomKind, maskedText } from '../../kernel/index.js';
import { fieldsOf, isJsonObject } from '../contract/declared.js';
import type { Contract } from '../contract/operation.js';

/** Puts masked values in the place of those that name a person; changes nothing that it is given. */
type Mask = (value: unknown) => unknown;

/** By contract; null: nothing in it names a person. */
const masks = new Map<Contract, Mask | null>();

/** An answer of this contract as operators get it: what its fields declare as `masked` is masked. */
export const maskedAnswer = (contract: Contract, answer: unknown): unknown => maskOf(contract)?.(answer) ?? answer;

function maskOf(contract: Contract): Mask | null {
  const known = masks.get(contract);
  if (known !== undefined) return known;
  // A contract that holds itself ends here.
  masks.set(contract, null);
  const parts = [...fieldsOf(contract).values()].flatMap(({ name, masked, holds }): [string, FieldMask][] => {
    if (masked)
      return [[name, (value, beside) => (masked === true || namesPerson(beside) ? maskedValue(value) : value)]];
    const inner = holds && maskOf(holds());
    return inner ? [[name, inner]] : [];
  });
  const mask = parts.length === 0 ? null : masking(parts);
  masks.set(contract, mask);
  return mask;
}

type FieldMask = (value: unknown, beside: Record<string, unknown>) => unknown;

function masking(parts: readonly [string, FieldMask][]): Mask {
  const ofObject = (value: Record<string, unknown>): Record<string, unknown> => ({
    ...value,
    ...Object.fromEntries(
      parts.flatMap(([name, mask]) => (Object.hasOwn(value, name) ? [[name, mask(value[name], value)]] : [])),
    ),
  });
  return function mask(value): unknown {
    if (Array.isArray(value)) return value.map(mask);
    return isJsonObject(value) ? ofObject(value) : value;
  };
}

const namesPerson = ({ kind }: Record<string, unknown>): boolean =>
  typeof kind === 'string' && ((IDENTIFIER_KINDS as readonly string[]).includes(kind) || isCustomKind(kind));

const maskedValue = (value: unknown): unknown => (typeof value === 'string' ? maskedText(value) : value);
