import { brokenText } from './text-rules.js';
import type { Found } from './declared.js';
import { childPath } from './declared.js';

/** Names that reach an object's prototype when copied carelessly. Refused as keys everywhere. */
export const PROTOTYPE_KEYS: readonly string[] = ['__proto__', 'constructor', 'prototype'];

export interface FreeRule {
  maxKeys: number;
  /** Of the value written as compact JSON in UTF-8. */
  maxBytes: number;
  /** Objects and arrays inside each other, the value itself counted. */
  depth: number;
}

/** Checks JSON without declared fields: names, text, nesting and size. */
export function checkFree(value: unknown, rule: FreeRule, path: string, found: Found): void {
  const before = found.count;
  walk(value, rule, path, 1, found);
  if (found.count > before) return;
  if (Buffer.byteLength(JSON.stringify(value) ?? '') > rule.maxBytes)
    found.add(path, `must be at most ${rule.maxBytes} bytes as JSON`);
}

function walk(value: unknown, rule: FreeRule, path: string, depth: number, found: Found): void {
  if (found.full) return;
  if (typeof value === 'string') {
    const broken = brokenText(value);
    if (broken) found.add(path, broken);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (depth > rule.depth) return found.add(path, `must not be nested deeper than ${rule.depth} levels`);
  if (Array.isArray(value)) {
    value.forEach((item, index) => walk(item, rule, `${path}[${index}]`, depth + 1, found));
    return;
  }
  const keys = Object.keys(value);
  if (depth === 1 && keys.length > rule.maxKeys) return found.add(path, `must have at most ${rule.maxKeys} keys`);
  for (const key of keys) {
    const at = childPath(path, key);
    if (PROTOTYPE_KEYS.includes(key)) found.add(at, 'is a name that cannot be used as a key');
    else if (brokenText(key)) found.add(path, 'has a key that is not well-formed text');
    else walk((value as Record<string, unknown>)[key], rule, at, depth + 1, found);
    if (found.full) return;
  }
}
