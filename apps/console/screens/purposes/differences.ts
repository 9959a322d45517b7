/** A place of a file that differs. */
export interface FieldDifference {
  readonly path: string;
  readonly change: 'ADDED' | 'REMOVED' | 'CHANGED' | 'MOVED';
  readonly before: unknown;
  readonly after: unknown;
}

/** Places that differ between two files, by path. Lists of plain values count as one place. */
export function differencesOf(before: unknown, after: unknown): readonly FieldDifference[] {
  const [was, is] = [leavesOf(before), leavesOf(after)];
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((path): FieldDifference[] => {
    const [a, b] = [was.get(path), is.get(path)];
    if (JSON.stringify(a) === JSON.stringify(b)) return [];
    const change = a === undefined ? 'ADDED' : b === undefined ? 'REMOVED' : 'CHANGED';
    return [{ path, change, before: a ?? null, after: b ?? null }];
  });
}

function leavesOf(value: unknown): Map<string, unknown> {
  const leaves = new Map<string, unknown>();
  const walk = (at: unknown, path: string): void => {
    if (Array.isArray(at) && at.some((each) => typeof each === 'object' && each !== null))
      at.forEach((each: unknown, index) => walk(each, `${path}[${nameOf(each, index)}]`));
    else if (typeof at === 'object' && at !== null && !Array.isArray(at))
      for (const [name, each] of Object.entries(at)) walk(each, path === '' ? name : `${path}.${name}`);
    else if (at !== undefined) leaves.set(path, at);
  };
  walk(value, '');
  return leaves;
}

/** Items of lists by what tells them apart, so that one that is put first does not make all others differ. */
function nameOf(item: unknown, index: number): string {
  const { key, name, action } = (item ?? {}) as { key?: unknown; name?: unknown; action?: unknown };
  const named = [key, name, action].find((each) => typeof each === 'string');
  return typeof named === 'string' ? named : String(index);
}

/** A value as a person reads it. */
export function readable(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(readable).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean);
}
