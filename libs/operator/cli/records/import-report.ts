import { ERASED, type PurposeCount, type Tally } from '../../import/tally.js';
import { EXIT } from '../failure.js';
import type { Cell, Show } from '../show.js';

/** `import` records; `dry-run` finds faults; `check` says whether all is there. */
export type ImportMode = 'import' | 'dry-run' | 'check';

export interface ImportFacts {
  mode: ImportMode;
  files: readonly string[];
  map: string;
  /** Null: the secret key names them. */
  site: string | null;
  env: string | null;
  /** Rows that an earlier call did. */
  resumedAfter: number;
  /** File of the rejected rows; null where none was written. */
  rejects: string | null;
  /** The first records as they would be sent; only of a dry run. */
  samples: readonly object[];
}

const isComplete = (tally: Tally): boolean =>
  tally.sum('missing') === 0 && tally.sum('rejected') === 0 && tally.reasons.every(({ code }) => code === ERASED);

export const exitCodeOf = (mode: ImportMode, tally: Tally): number =>
  mode === 'check' ? (isComplete(tally) ? EXIT.ok : EXIT.failed) : tally.rejectedRows > 0 ? EXIT.someRejected : EXIT.ok;

/** Shows what an import came to. */
export function reported(show: Show, tally: Tally, { samples, ...facts }: ImportFacts): void {
  const { mode } = facts;
  const counts = {
    rows: tally.rows,
    rowsWithoutRecord: tally.skippedRows,
    rowsRejected: tally.rejectedRows,
    records: tally.sum('records'),
    repeated: tally.repeated,
    subjects: tally.subjects.count,
    ...(mode === 'import' && { recorded: tally.sum('recorded') }),
    ...(mode === 'dry-run' && { wouldBeRecorded: tally.sum('missing') }),
    ...(mode === 'check' && { missing: tally.sum('missing'), isComplete: isComplete(tally) }),
    recordedBefore: tally.sum('before'),
    superseded: tally.sum('superseded'),
    recordsRejected: tally.sum('rejected'),
    erased: tally.sum('erased'),
  };
  show.result(
    { ...facts, ...counts, purposes: tally.purposes, reasons: tally.reasons, ...(mode === 'dry-run' && { samples }) },
    () => inWords(show, tally, { samples, ...facts }),
  );
}

const COLUMNS: Readonly<Record<ImportMode, readonly [string, keyof PurposeCount][]>> = {
  import: [
    ['RECORDS', 'records'],
    ['RECORDED', 'recorded'],
    ['BEFORE', 'before'],
    ['REJECTED', 'rejected'],
    ['SUPERSEDED', 'superseded'],
  ],
  'dry-run': [
    ['RECORDS', 'records'],
    ['NEW', 'missing'],
    ['BEFORE', 'before'],
    ['REJECTED', 'rejected'],
  ],
  check: [
    ['IN THE FILE', 'records'],
    ['RECORDED', 'before'],
    ['MISSING', 'missing'],
    ['REJECTED', 'rejected'],
    ['ERASED', 'erased'],
    ['SUPERSEDED', 'superseded'],
  ],
};

function inWords(show: Show, tally: Tally, { mode, rejects, resumedAfter, samples }: ImportFacts): void {
  const number = (count: number): string => count.toLocaleString('en');
  for (const sample of samples) show.line(JSON.stringify(sample));
  if (samples.length > 0) show.line('');
  const columns = COLUMNS[mode];
  if (tally.purposes.length > 0) {
    show.table(
      ['PURPOSE', 'DECISION', ...columns.map(([head]) => head)],
      tally.purposes.map((each): Cell[] => [
        each.about,
        each.decision,
        ...columns.map(([, name]) => coloured(name, each[name] as number)),
      ]),
    );
    show.line('');
  }
  if (tally.reasons.length > 0) {
    show.table(
      ['REJECTED ROWS', 'WHY', 'FIRST LINE', ''],
      tally.reasons.map(({ code, rows, line, message }) => [number(rows), code, line, message]),
    );
    show.line('');
  }
  const about = `${number(tally.subjects.count)} ${tally.subjects.count === 1 ? 'person' : 'people'}`;
  const resumed = resumedAfter > 0 ? `, after ${number(resumedAfter)} of an earlier call` : '';
  show.line(
    `${number(tally.rows)} rows${resumed}, ${number(tally.sum('records'))} records of ${about}; ${number(tally.skippedRows)} rows without a record, ${number(tally.repeated)} records as before in the file, ${number(tally.rejectedRows)} rows rejected.`,
  );
  if (tally.sum('superseded') > 0 && mode !== 'dry-run')
    show.line('superseded: recorded as history; something newer stands, or a refusal.');
  show.line(next(mode, tally, rejects));

  function coloured(name: keyof PurposeCount, count: number): Cell {
    if (count === 0) return number(count);
    const isBad = name === 'rejected' || (mode === 'check' && name === 'missing');
    return isBad ? show.coloured('red', number(count)) : number(count);
  }
}

/** What to do next. */
function next(mode: ImportMode, tally: Tally, rejects: string | null): string {
  if (mode === 'check')
    return isComplete(tally)
      ? 'Nothing is missing.'
      : 'Something is missing: call it without --check; what is recorded already is not recorded twice.';
  const kept =
    rejects === null
      ? 'Name a file with --rejects to have them with line and reason.'
      : `They are in ${rejects}: mend them there, and import that file.`;
  if (tally.rejectedRows > 0) return `Some rows were rejected. ${kept}`;
  return mode === 'dry-run'
    ? 'Nothing is wrong, and nothing was recorded: call it without --dry-run.'
    : 'All is recorded. See that nothing is missing with the same call and --check.';
}
