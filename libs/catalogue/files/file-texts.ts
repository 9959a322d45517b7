import { parse, stringify } from 'yaml';
import { canonicalJson } from '../../kernel/index.js';

/** A file of the catalogue as YAML, `sorted`: members by name. Throws if reading the text would give another content. */
export function fileText(file: object, { sorted = false } = {}): string {
  const text = stringify(file, { lineWidth: 0, aliasDuplicateObjects: false, sortMapEntries: sorted });
  if (canonicalJson(parse(text) as unknown) !== canonicalJson(file))
    throw new Error(`a catalogue file would not be read as it was written: ${JSON.stringify(file).slice(0, 200)}`);
  return text;
}
