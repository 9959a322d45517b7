import type { GvlTexts } from './gvl.js';

/** Limit of a file of texts in one language. */
export const TEXTS_BYTES_MAX = 1024 * 1024;

export const TEXT_MEMBERS = [
  'purposes',
  'specialPurposes',
  'features',
  'specialFeatures',
  'stacks',
  'dataCategories',
] as const satisfies readonly (keyof GvlTexts)[];

const ENTRIES_MAX = 200;

/** Why these are not the texts of a list, with the place; null: they are. */
export function textsFault(texts: Partial<Record<(typeof TEXT_MEMBERS)[number], unknown>>): string | null {
  for (const member of TEXT_MEMBERS) {
    const entries: unknown = texts[member];
    if (typeof entries !== 'object' || entries === null || Array.isArray(entries)) return `${member} is no object`;
    const listed = Object.entries(entries as Record<string, unknown>);
    if (listed.length === 0 || listed.length > ENTRIES_MAX) return `${member} has ${listed.length} entries`;
    for (const [key, entry] of listed) {
      const { id, name, description } = (entry ?? {}) as Record<string, unknown>;
      if (String(id) !== key || !/^[1-9]\d{0,4}$/.test(key))
        return `${member}.${key.slice(0, 20)}: its id is not its key`;
      if (typeof name !== 'string' || typeof description !== 'string')
        return `${member}.${key}: it has no name or no description`;
    }
  }
  return null;
}

/** Reads the texts of a list in another language; null if the bytes are none. */
export function readTexts(bytes: Uint8Array): GvlTexts | null {
  if (bytes.length > TEXTS_BYTES_MAX) return null;
  try {
    const found = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as GvlTexts | null;
    if (found === null || textsFault(found) !== null) return null;
    // Without other members: such a file may name the version of a list that it was made for.
    const { standardTexts } = found;
    return {
      ...(Object.fromEntries(TEXT_MEMBERS.map((member) => [member, found[member]])) as unknown as GvlTexts),
      ...(areTexts(standardTexts) && { standardTexts }),
    };
  } catch {
    return null;
  }
}

const areTexts = (texts: unknown): boolean =>
  typeof texts === 'object' && texts !== null && Object.values(texts).every((text) => typeof text === 'string');

/** A list with its texts in another language. Texts that the translation lacks stay as they are. */
export function translated<L extends GvlTexts>(list: L, texts: GvlTexts): L {
  const members = TEXT_MEMBERS.map((member) => {
    const own: Record<string, object> = list[member];
    const other: Record<string, object> = texts[member];
    return [
      member,
      Object.fromEntries(
        Object.entries(own).map(([id, entry]) => [id, Object.hasOwn(other, id) ? worded(entry, other[id]!) : entry]),
      ),
    ];
  });
  const standardTexts = texts.standardTexts && { ...list.standardTexts, ...texts.standardTexts };
  return { ...list, ...(Object.fromEntries(members) as GvlTexts), ...(standardTexts && { standardTexts }) };
}

/** Takes the words from the translation, everything else from the list. */
function worded(entry: object, words: { name?: unknown; description?: unknown; illustrations?: unknown }): object {
  const { name, description, illustrations } = words;
  return {
    ...entry,
    name,
    description,
    ...('illustrations' in entry && Array.isArray(illustrations) && { illustrations }),
  };
}
