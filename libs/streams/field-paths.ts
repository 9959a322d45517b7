/** What is looked for in a value: whether the value itself is meant, and what below it. */
interface Place {
  isMeant: boolean;
  /** A list, which takes half the time of a map to go through: every event passes here several times. */
  members: Member[];
  elements: Place | null;
}

interface Member {
  name: string;
  /** Where it stands; null below a list, where that depends on the element. */
  field: string | null;
  place: Place;
}

/** What to put in the place of a value. `field` says where it stands: `evidence[0].uri`. */
export type Replace = (value: unknown, field: string) => unknown;

/**
 * Places in objects by their paths: dotted, `[]` for every element of a list. `evidence[].uri` is the `uri` of each
 * piece of evidence. Throws TypeError for what is no path.
 */
export class FieldPaths {
  private readonly root = nowhere();
  readonly isEmpty: boolean;

  constructor(paths: readonly string[]) {
    this.isEmpty = paths.length === 0;
    for (const path of paths) this.add(path);
  }

  /**
   * Replaces what stands at the paths. Copies each object along them once, and only where something changed; what is not
   * there stays away. Of a path and one below it the shorter comes first.
   */
  replaced(value: unknown, replace: Replace): unknown {
    return this.isEmpty ? value : below(value, this.root, '', replace, false);
  }

  /** The same for a value that only the caller holds: its objects are changed instead of copied. */
  replacedWithin(value: unknown, replace: Replace): unknown {
    return this.isEmpty ? value : below(value, this.root, '', replace, true);
  }

  private add(path: string): void {
    let place = this.root;
    let field: string | null = '';
    for (const part of path.split('.')) {
      const [, name, lists] = /^([^[\]]+)((?:\[\])*)$/.exec(part) ?? [];
      // A path that is not understood would leave a personal field in clear.
      if (name === undefined) throw new TypeError(`not a path of a field: ${path}`);
      field = field === null ? null : fieldOf(field, name);
      let member = place.members.find((known) => known.name === name);
      if (!member) place.members.push((member = { name, field, place: nowhere() }));
      place = member.place;
      for (let depth = lists!.length / 2; depth > 0; depth--) place = place.elements ??= nowhere();
      if (lists !== '') field = null;
    }
    place.isMeant = true;
  }
}

const nowhere = (): Place => ({ isMeant: false, members: [], elements: null });
const fieldOf = (before: string, name: string): string => (before === '' ? name : `${before}.${name}`);

function at(value: unknown, place: Place, field: string, replace: Replace, isOwn: boolean): unknown {
  if (value === undefined) return value;
  return below(place.isMeant ? replace(value, field) : value, place, field, replace, isOwn);
}

function below(value: unknown, { members, elements }: Place, field: string, replace: Replace, isOwn: boolean): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value))
    return elements ? value.map((element, i) => at(element, elements, `${field}[${i}]`, replace, isOwn)) : value;
  let copy: Record<string, unknown> | null = null;
  for (const { name, field: known, place } of members) {
    const member = (value as Record<string, unknown>)[name];
    if (member === undefined || !Object.hasOwn(value, name)) continue;
    const next = at(member, place, known ?? fieldOf(field, name), replace, isOwn);
    if (next !== member) (copy ??= (isOwn ? value : { ...value }) as Record<string, unknown>)[name] = next;
  }
  return copy ?? value;
}
