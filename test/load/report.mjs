import Table from 'cli-table3';

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const colours = process.stdout.isTTY && !process.env.NO_COLOR;
const paint = (code) => (text) => (colours && text ? `\u001b[${code}m${text}\u001b[0m` : text);
const [green, red, bold, dim] = [32, 31, 1, 2].map(paint);

/** As many digits as say something: three, of a rate or of milliseconds alike. */
export function number(value) {
  if (value === null || value === undefined || !Number.isFinite(value)) return '';
  if (Math.abs(value) >= 100) return whole.format(value);
  return value
    .toPrecision(3)
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '');
}

/** Whether a result is as good as was promised; null where nothing was. */
export function isMet({ value, floor }) {
  if (!floor) return null;
  return value !== null && value >= (floor.least ?? -Infinity) && value <= (floor.most ?? Infinity);
}

const floorText = ({ floor }) =>
  !floor ? '' : floor.least !== undefined ? `≥ ${number(floor.least)}` : `≤ ${number(floor.most)}`;
const verdict = (result, met) => (met === null ? '' : met ? 'met' : 'MISSED');

const COLUMNS = [
  ['case', ({ title }) => title],
  ['measured', ({ value, unit }) => `${number(value)} ${unit}`],
  ['floor', floorText],
  ['verdict', (result) => verdict(result, isMet(result))],
  ['recorded', ({ name }, baseline) => number(baseline?.[name])],
  ['now / then', ({ name, value }, baseline) => (baseline?.[name] ? (value / baseline[name]).toFixed(2) : '')],
  ['per second', ({ perSecond, each }) => `${number(perSecond)}${each ? ` ${each}` : ''}`],
  ['p50 ms', ({ p50Ms }) => number(p50Ms)],
  ['p99 ms', ({ p99Ms }) => number(p99Ms)],
  ['CPU µs', ({ cpuUs }) => number(cpuUs)],
  ['Postgres µs', ({ postgresCpuUs }) => number(postgresCpuUs)],
  ['RSS MB', ({ rssMb }) => number(rssMb)],
  ['spread', ({ spread }) => (spread === undefined || spread === null ? '' : `${Math.round(spread * 100)} %`)],
];
const LEFT = 1;

/** Every result beside its floor, for a terminal. */
export function terminalTable(results, baseline) {
  // A column that no result has anything for is only wide.
  const columns = COLUMNS.filter(([, cell]) => results.some((result) => cell(result, baseline) !== ''));
  const table = new Table({
    head: columns.map(([head]) => bold(head)),
    colAligns: columns.map((_, i) => (i < LEFT ? 'left' : 'right')),
    style: { head: [], border: [], compact: true },
  });
  for (const result of results) {
    const met = isMet(result);
    table.push(
      columns.map(([head, cell]) => {
        const text = cell(result, baseline);
        if (head === 'verdict') return met ? green(text) : red(text);
        return head === 'spread' || head === 'recorded' ? dim(text) : text;
      }),
    );
  }
  return table.toString();
}

/** The same in Markdown, for the file. */
export function markdownTable(results, baseline) {
  const columns = [...COLUMNS, ['measured on', ({ measuredOn }) => measuredOn]];
  return markdown(
    columns.map(([head]) => head),
    results.map((result) => columns.map(([, cell]) => cell(result, baseline))),
  );
}

/** A table of its own that a case brings along: rows of text under a head. */
export function extraTable({ title, head, rows }, forTerminal) {
  if (!forTerminal) return `**${title}**\n\n${markdown(head, rows)}`;
  const table = new Table({
    head: head.map(bold),
    colAligns: head.map((_, i) => (i < LEFT ? 'left' : 'right')),
    style: { head: [], border: [], compact: true },
  });
  table.push(...rows);
  return `${bold(title)}\n${table.toString()}`;
}

function markdown(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, i) => (i < LEFT ? '---' : '--:'))), ...rows.map(line)].join('\n');
}
