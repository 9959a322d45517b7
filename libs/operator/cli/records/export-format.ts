import { extname } from 'node:path';
import { WrongUsage } from '../failure.js';

/** What files of exports end in, whichever command writes them. */
const ENDINGS: Readonly<Record<string, string>> = {
  '.csv': 'csv',
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
  '.parquet': 'parquet',
};

/**
 * The format of an export: the named one, else that of the file's ending, else the first of its formats. Refuses a file
 * whose ending says another format than it would hold, which would mislead its reader.
 */
export function exportFormat<F extends string>(
  formats: readonly [F, ...F[]],
  { format, out }: { format?: string; out?: string },
): F {
  const named = formats.find((each) => each === format);
  const ending = out === undefined ? '' : extname(out).toLowerCase();
  const meant = ENDINGS[ending];
  const ofEnding = formats.find((each) => each === meant);
  if (meant !== undefined && ofEnding === undefined)
    throw new WrongUsage(`--out ends in ${ending}, and this export writes ${formats.join(' or ')}: name another file.`);
  if (named !== undefined && ofEnding !== undefined && named !== ofEnding)
    throw new WrongUsage(
      `--out ends in ${ending}, and --format is ${named}: leave --format out, or name another file.`,
    );
  return named ?? ofEnding ?? formats[0];
}
