import { without } from './id-ranges.js';
import type { Names, StringLine, VendorsLine } from './lines.js';
import { vendorsText } from './tc-lines.js';

/** A field in which a string differs from the string of today's state. */
export interface Difference {
  part: string;
  /** Null: the whole part. */
  field: string | null;
  /** Value in the string; null if the string lacks the field. */
  said: string | null;
  /** Value in the string of today; null if that one lacks the field. */
  holds: string | null;
  text: string;
}

type Line = StringLine | VendorsLine;

/**
 * The differences in choices, by the fields of the string of today. Maker, time and vendor list of a string do not
 * count as differences. A part that only one of the two has is one difference.
 */
export function differencesOf(said: readonly Line[], holds: readonly Line[], names: Names): Difference[] {
  const [before, today] = [byPart(said), byPart(holds)];
  const parts = [...new Set([...before.keys(), ...today.keys()])];
  return parts.flatMap((part): Difference[] => {
    const [there, here] = [before.get(part), today.get(part)];
    if (!there) return [whole(part, null, 'present', 'The string of today has this part too.')];
    if (!here) return [whole(part, 'present', null, 'The string of today has no such part.')];
    return [...new Set([...there.keys(), ...here.keys()])].flatMap((field) =>
      difference(part, field, there.get(field), here.get(field), names),
    );
  });
}

const whole = (part: string, said: string | null, holds: string | null, text: string): Difference => ({
  ...{ part, field: null, said, holds, text },
});

function byPart(lines: readonly Line[]): Map<string, Map<string, Line>> {
  const parts = new Map<string, Map<string, Line>>();
  for (const line of lines) {
    const part = parts.get(line.part) ?? new Map<string, Line>();
    parts.set(line.part, part);
    if (line.kind === 'CHOICE') part.set(line.field, line);
  }
  return parts;
}

function difference(
  part: string,
  field: string,
  said: Line | undefined,
  holds: Line | undefined,
  names: Names,
): Difference[] {
  if (said?.value === holds?.value && !isOther(said, holds)) return [];
  const values = { said: said?.value ?? null, holds: holds?.value ?? null };
  return [{ part, field, ...values, text: inWords(said, holds, names) }];
}

/** Long lists of vendors are shortened when shown, but compared whole. */
function isOther(said: Line | undefined, holds: Line | undefined): boolean {
  const [before, today] = [vendorsOf(said), vendorsOf(holds)];
  return without(before, today).length > 0 || without(today, before).length > 0;
}

function inWords(said: Line | undefined, holds: Line | undefined, names: Names): string {
  const line = said ?? holds!;
  if (!('vendors' in line))
    return `${said ? said.text : 'The string says nothing of it.'} Today: ${holds ? holds.text : 'nothing is said of it.'}`;
  const [gone, added] = [without(vendorsOf(said), vendorsOf(holds)), without(vendorsOf(holds), vendorsOf(said))];
  return [
    ...(gone.length > 0 ? [`Only in the string: ${vendorsText(gone, names)}.`] : []),
    ...(added.length > 0 ? [`Only today: ${vendorsText(added, names)}.`] : []),
  ].join(' ');
}

const vendorsOf = (line: Line | undefined) => (line !== undefined && 'vendors' in line ? line.vendors : []);
