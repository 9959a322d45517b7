import { FORGOTTEN, isForgotten } from '../kernel/index.js';

/** Stands for FORGOTTEN, which JSON alone would make null of. */
const FORGOTTEN_MARK = '$forgotten';
/** Around an object of a state that looks like one of these marks. */
const PLAIN_MARK = '$plain';

/** A state as text. What is no JSON (a Map, a Date, a bigint) throws TypeError: it would come back as something else. */
export const snapshotText = (state: unknown): string => JSON.stringify(marked(state));

export const stateOfText = (text: string): unknown => unmarked(JSON.parse(text));

function marked(value: unknown): unknown {
  if (isForgotten(value)) return { [FORGOTTEN_MARK]: true };
  if (typeof value === 'bigint' || typeof value === 'function' || typeof value === 'symbol')
    throw new TypeError(`a ${typeof value} cannot be kept in a snapshot`);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(marked);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null)
    throw new TypeError(`a ${value.constructor.name} cannot be kept in a snapshot`);
  const members = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, marked(member)]));
  return FORGOTTEN_MARK in members || PLAIN_MARK in members ? { [PLAIN_MARK]: members } : members;
}

function unmarked(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(unmarked);
  if (Object.hasOwn(value, FORGOTTEN_MARK)) return FORGOTTEN;
  const plain = Object.hasOwn(value, PLAIN_MARK) ? (value as Record<string, object>)[PLAIN_MARK]! : value;
  return Object.fromEntries(Object.entries(plain).map(([name, member]) => [name, unmarked(member)]));
}
