import { canonicalJson } from '../../kernel/index.js';

/** One place that differs between two files. */
export interface FieldDifference {
  /** Such as `translations.de.name` or `cookies[_stat].maxAgeSeconds`: items of lists are named, not numbered. */
  path: string;
  /** MOVED: a list holds the same items in another order. */
  change: 'ADDED' | 'REMOVED' | 'CHANGED' | 'MOVED';
  /** Text, a number, a flag, or a list of texts; null where it was not there. */
  before: unknown;
  after: unknown;
}

/** By what an item of a list is named: the first of these members that every item of the list has. */
const NAMES = ['key', 'name', 'action', 'country', 'category', 'value'] as const;

/** The places that differ between two files, in the order of their paths. Undefined: there was no file. */
export function differences(before: object | undefined, after: object | undefined): FieldDifference[] {
  const [was, is] = [leavesOf(before), leavesOf(after)];
  const found: FieldDifference[] = [];
  for (const path of [...new Set([...was.keys(), ...is.keys()])].sort()) {
    const [old, now] = [was.get(path), is.get(path)];
    if (old && now) {
      if (canonicalJson(old.value) === canonicalJson(now.value)) continue;
      const isOrder = old.isOrder && now.isOrder;
      // Items that were added or removed have places of their own.
      if (isOrder && !sameItems(old.value, now.value)) continue;
      found.push({ path, change: isOrder ? 'MOVED' : 'CHANGED', before: old.value, after: now.value });
    } else if (now) {
      if (!now.isOrder) found.push({ path, change: 'ADDED', before: null, after: now.value });
    } else if (old && !old.isOrder) found.push({ path, change: 'REMOVED', before: old.value, after: null });
  }
  return found;
}

interface Leaf {
  value: unknown;
  /** It is the order of a list. */
  isOrder?: true;
}

function leavesOf(file: object | undefined): Map<string, Leaf> {
  const leaves = new Map<string, Leaf>();
  const walk = (value: unknown, path: string): void => {
    if (Array.isArray(value)) {
      const items: unknown[] = value;
      if (!items.every(isObject)) return void leaves.set(path, { value });
      const names = namesOf(items);
      leaves.set(path, { value: names, isOrder: true });
      items.forEach((item, i) => walk(item, `${path}[${names[i]}]`));
    } else if (isObject(value)) {
      for (const [name, member] of Object.entries(value)) walk(member, path === '' ? name : `${path}.${name}`);
    } else leaves.set(path, { value });
  };
  if (file) walk(file, '');
  return leaves;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A name for each item; a second one of the same name gets a number. */
function namesOf(items: readonly Record<string, unknown>[]): string[] {
  const member = NAMES.find((name) => items.every((item) => typeof item[name] === 'string'));
  const seen = new Map<string, number>();
  return items.map((item, i) => {
    if (!member) return String(i);
    const name = item[member] as string;
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    return times === 1 ? name : `${name} ${times}`;
  });
}

const sameItems = (a: unknown, b: unknown): boolean =>
  canonicalJson([...(a as string[])].sort()) === canonicalJson([...(b as string[])].sort());
