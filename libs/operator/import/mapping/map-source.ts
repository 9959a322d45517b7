import type { Instant, Issue } from '../../../kernel/index.js';
import type { FileRow } from '../reading/file-rows.js';
import type { ImportMap, RecordRule } from './import-map.js';
import { readImportMap, type MapDefaults } from './map-file.js';
import { plainMap } from './plain-map.js';
import { recordMaker, type RecordMaker } from './row-records.js';
import { RowFault } from './row-fault.js';

/** By which map the files are read. */
export interface MapSource {
  /** Null: a plain file, whose columns are called as the fields. */
  map: ImportMap | null;
  /** Purposes of the command line come before those of the map. */
  purposes: ReadonlyMap<string, string | null>;
  /** Kind of all identifiers, before that of the map; null: as the map says. */
  kind: string | null;
  defaults: MapDefaults;
}

/** With what the command line says instead of the map. */
const completed = (map: ImportMap, { purposes, kind }: MapSource): ImportMap => ({
  ...map,
  purposes: new Map([...map.purposes, ...purposes]),
  records: kind === null ? map.records : map.records.map((record) => ofKind(record, kind)),
});

function ofKind(record: RecordRule, kind: string): RecordRule {
  const subject = record.fields.get('subject')!;
  const rule = { ...subject, columns: [], constant: kind, values: null };
  return { ...record, fields: new Map([...record.fields, ['subject.kind', rule]]) };
}

/** The maker for files with this header, or what does not fit. `header`: null for JSON Lines. */
export function makerFor(
  source: MapSource,
  header: readonly string[] | null,
  givenAt: Instant | null,
): RecordMaker | Issue[] {
  if (source.map !== null) return recordMaker(completed(source.map, source), header, givenAt);
  return header === null ? plainObjects(source, givenAt) : plainMaker(source, header, header, givenAt);
}

function plainMaker(
  source: MapSource,
  names: readonly string[],
  header: readonly string[] | null,
  givenAt: Instant | null,
): RecordMaker | Issue[] {
  const made = plainMap(names);
  if ('issues' in made) return made.issues;
  const map = readImportMap(made.content, source.defaults);
  return Array.isArray(map) ? map : recordMaker(completed(map, source), header, givenAt);
}

/** Most sets of names for which a maker is kept. */
const MAKERS_MAX = 100;

/** Objects of JSON Lines may have other names from row to row. */
function plainObjects(source: MapSource, givenAt: Instant | null): RecordMaker {
  const makers = new Map<string, RecordMaker | Issue[]>();
  return {
    recordsOf: (content: NonNullable<FileRow['content']>) => {
      const names = Object.keys(content);
      const key = JSON.stringify(names);
      let maker = makers.get(key);
      if (maker === undefined) {
        if (makers.size >= MAKERS_MAX) makers.clear();
        maker = plainMaker(source, names, null, givenAt);
        makers.set(key, maker);
      }
      if (!Array.isArray(maker)) return maker.recordsOf(content);
      throw new RowFault('row_invalid', maker.map(({ path, message }) => `${path} ${message}`).join('; '));
    },
  };
}
