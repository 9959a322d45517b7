// What one of each thing costs, read from the results of the cases that do it.
import { number } from './report.mjs';

/** The case of cases: what `npm run bench` measures where none is named. */
export const COSTS = { name: 'costs', title: 'what one of each thing costs (all that is measured without a name)' };

const [SUBJECT, DECISION, KEY] = ['growth-subject', 'growth-decision', 'growth-key'];

/**
 * `of`: the case that does it, so many of it in each of its requests. `bare`: the least that an engine can do in its
 * place, in how many pieces. `bytes`: what stays on the disk, as cases of growth.
 */
const ROWS = [
  { what: 'read, 304', of: 'not-modified-many', bare: 'raw' },
  { what: 'read, 200 from a row', of: 'row', bare: 'raw' },
  { what: 'recorded consent, known person', of: 'record-known', bare: 'append', bytes: [DECISION, KEY] },
  { what: 'recorded consent, new person', of: 'record-new', bare: 'append', bytes: [SUBJECT, KEY] },
  {
    what: 'save of a banner, three choices, new person',
    of: 'save',
    bare: 'append',
    bytes: [SUBJECT, DECISION, DECISION, KEY],
  },
  { what: 'record in a batch of 100, half of them new', of: 'batch', each: 100, bare: 'append-batch' },
  { what: 'record in a batch of 100 new people', of: 'batch-new', each: 100, bare: 'append-batch', bytes: [SUBJECT] },
  { what: 'row of an import, new person', of: 'import', bare: 'append-batch', bytes: [SUBJECT, KEY] },
  { what: 'rebuilt event', of: 'rebuild', bare: 'catch-up' },
  { what: 'webhook delivery', of: 'webhooks', bare: 'raw' },
  { what: 'recorded consent, four roles on EventStoreDB', of: 'esdb-record', bytes: [] },
];

/** The cases that the table is made of. Growth is measured as a whole. */
export const CASES_OF_COSTS = [...new Set(['growth', ...ROWS.flatMap(({ of, bare }) => [of, bare])])];

/** The table of those results that there are. Processor time in µs, of the service, Postgres and the event store. */
export function costsTable(results) {
  const rows = ROWS.filter(({ of }) => results.has(of)).map(({ what, of, each = 1, bare, bytes = [] }) => {
    const { nodeCpuUs, bareUs } = results.get(of);
    const { cpuUs, postgresCpuUs } = leastOf(results.get(of));
    const parts = [cpuUs, postgresCpuUs, nodeCpuUs].map((us) => (us ?? null) && us / each);
    const all = sum(parts);
    const least = bareUs ?? processorUs(results.get(bare));
    const stored = bytes.map((name) => results.get(name)?.value);
    return [
      what,
      ...[...parts, all, least].map(number),
      least ? `${number(all / least)} ×` : '',
      stored.length > 0 && stored.every(Number.isFinite) ? number(sum(stored)) : '',
    ];
  });
  return {
    title: 'what one of each costs: processor time in µs, and bytes that stay on the disk',
    head: ['one', 'service', 'Postgres', 'event store', 'all', 'bare engine', 'ratio', 'bytes'],
    rows,
  };
}

const sum = (values) => values.reduce((total, value) => total + (value ?? 0), 0);
/** Of several windows the cheapest: what other programs do meanwhile only adds to it. */
const leastOf = (result) => result.least ?? result;
const processorUs = (result) => result && sum([leastOf(result).cpuUs, leastOf(result).postgresCpuUs]);
