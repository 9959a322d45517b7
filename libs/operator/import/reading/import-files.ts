import { createReadStream } from 'node:fs';
import { failed, WrongUsage } from '../../cli/failure.js';
import { CsvRows } from './csv-rows.js';
import { decoded } from './decoded.js';
import type { FileRow, RowReader } from './file-rows.js';
import { JsonRows } from './json-rows.js';

export interface FileFormat {
  encoding: string | null;
  delimiter: string | null;
  header: readonly string[] | null;
}

/** What the beginning of a file says about it. */
export interface InspectedFile {
  path: string;
  /** Null: JSON Lines. */
  csv: { header: readonly string[]; delimiter: string } | null;
}

/** Looks at the beginning of a file. Throws where it cannot be imported. */
export async function inspected(path: string, format: FileFormat): Promise<InspectedFile> {
  let reader: RowReader | null = null;
  for await (const part of partsOf(path, format)) {
    reader ??= readerFor(part, path, format);
    reader.rows(part);
    if (reader instanceof JsonRows || reader.header !== null) break;
  }
  reader?.rest();
  if (reader instanceof JsonRows) return { path, csv: null };
  if (!(reader instanceof CsvRows) || reader.header === null)
    throw failed(
      'file_empty',
      `${path} holds nothing to import.`,
      'Name a file with a header line, or with JSON Lines.',
    );
  return { path, csv: { header: reader.header, delimiter: reader.delimiter! } };
}

/** All rows of a file. `onRead` hears how many bytes of the file were read. */
export async function* rowsOf(
  path: string,
  format: FileFormat,
  onRead: (bytes: number) => void,
): AsyncGenerator<FileRow> {
  let reader: RowReader | null = null;
  for await (const part of partsOf(path, format, onRead)) {
    reader ??= readerFor(part, path, format);
    yield* reader.rows(part);
  }
  if (reader) yield* reader.rest();
}

async function* partsOf(
  path: string,
  { encoding }: FileFormat,
  onRead?: (bytes: number) => void,
): AsyncGenerator<string> {
  try {
    yield* decoded(createReadStream(path, { highWaterMark: 256 * 1024 }), encoding, onRead);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code?.startsWith('Z_'))
      throw failed(
        'file_damaged',
        `${path} is damaged: its gzip ends too early or is no gzip (${code}).`,
        'Fetch it again.',
      );
    if (code !== undefined) throw new WrongUsage(`${path} cannot be read (${code}).`);
    throw error;
  }
}

function readerFor(beginning: string, path: string, { delimiter, header }: FileFormat): RowReader {
  const first = beginning.trimStart()[0];
  if (first === '[')
    throw failed(
      'file_is_a_list',
      `${path} is one JSON list.`,
      `Write one object in each line: jq -c '.[]' ${path} > rows.jsonl`,
    );
  if (first === '{') return new JsonRows();
  if (beginning.startsWith('PK\u0003\u0004'))
    throw failed(
      'file_is_packed',
      `${path} is a ZIP archive, or a workbook of Excel.`,
      'Unpack it, or save the sheet as CSV UTF-8.',
    );
  return new CsvRows({ delimiter: delimiter ?? undefined, header: header ?? undefined });
}
